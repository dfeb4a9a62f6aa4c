package gecc

// #include <stdlib.h>
// #include "shim.h"
import "C"

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// Config says how a context is opened; what a zero says is what gecc chooses.
type Config struct {
	// Backend is "auto", "cpu" or "cuda".
	Backend string

	// Threads of the CPU; 0: one for each processor.
	Threads uint

	// Device are the GPUs that share calls, "0,2" or "all".
	Device string

	// DeviceTableBytes are the most that tables of multiples of G take of a GPU's memory; 0: a quarter.
	DeviceTableBytes uint

	// KeyTableBytes are the most that tables of keys that repeat within a call take; 0: the default, 1: none.
	KeyTableBytes uint

	// StagingBytes are the most pinned memory that rows pass through on their way to a GPU; 0: 1 GiB.
	StagingBytes uint

	// KeyCacheBytes are the most that tables of public keys take which are kept from call to call; 0: none are kept.
	KeyCacheBytes uint

	// Jobs are how many submitted calls run at once, others wait for their turn; 0: one for each processor of Go.
	Jobs int
}

// An owner closes what it was made for when nothing refers to it any more: every copy of a Context or of Keys does.
type owner struct{ close func() }

func own(close func()) *owner {
	o := &owner{close}
	runtime.SetFinalizer(o, func(o *owner) { go o.close() })
	return o
}

// closeNow closes at once.
func (o *owner) closeNow() {
	runtime.SetFinalizer(o, nil)
	o.close()
}

// A Context is what calls run in: threads, tables, GPUs. Any number of goroutines may use one. Copies are the same
// context.
type Context struct {
	state *contextState
	owner *owner
}

type contextState struct {
	use    sync.RWMutex // held by who uses the handle; for writing, by who closes it
	handle *C.gecc_context
	slots  chan struct{}

	keysMutex sync.Mutex
	keys      map[*keysState]struct{}
}

// Open opens a context; config nil: as gecc chooses. Error: a backend is asked for that is not there.
func Open(config *Config) (*Context, error) {
	if config == nil {
		config = &Config{}
	}
	chosen := C.gecc_config{
		size:               C.sizeof_gecc_config,
		threads:            C.uint(config.Threads),
		device_table_bytes: C.size_t(config.DeviceTableBytes),
		key_table_bytes:    C.size_t(config.KeyTableBytes),
		staging_bytes:      C.size_t(config.StagingBytes),
		key_cache_bytes:    C.size_t(config.KeyCacheBytes),
	}
	if uint64(config.Threads) > 1<<31 || config.Jobs < 0 {
		return nil, refuse("config: %d threads, %d jobs", config.Threads, config.Jobs)
	}
	jobs := config.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var addresses [2]*C.char
	for i, name := range []string{config.Backend, config.Device} {
		if strings.Contains(name, "\x00") {
			return nil, refuse("config: %q has a zero", name)
		}
		if name != "" {
			addresses[i] = C.CString(name)
			defer C.free(unsafe.Pointer(addresses[i]))
		}
	}
	var result C.gecc_result
	state := &contextState{slots: make(chan struct{}, jobs), keys: map[*keysState]struct{}{}}
	words := C.shim_open(&state.handle, addresses[0], addresses[1], &chosen, &result)
	if err := failure(result, words); err != nil {
		return nil, err
	}
	return &Context{state, own(state.close)}, nil
}

// Close waits for calls that run in it and closes it, with its sets of keys. Calls that come later give [ErrClosed],
// and so do jobs that have not begun. It gives no error, and may be called again.
func (c *Context) Close() error {
	if c != nil && c.state != nil {
		c.owner.closeNow()
	}
	return nil
}

func (s *contextState) close() {
	s.use.Lock()
	defer s.use.Unlock()
	for keys := range s.keys {
		keys.free()
	}
	C.gecc_close(s.handle) // closing NULL does nothing
	s.handle, s.keys = nil, nil
}

// hold keeps the context open until s.use.RUnlock().
func (c *Context) hold() (*contextState, error) {
	if c == nil || c.state == nil {
		return nil, ErrClosed
	}
	s := c.state
	s.use.RLock()
	if s.handle == nil {
		s.use.RUnlock()
		return nil, ErrClosed
	}
	return s, nil
}

// A Backend is a place where calls may run.
type Backend struct {
	// Name is "cpu" or "cuda".
	Name string

	// Device is "portable-adx", "portable-c", "ifma" or a GPU's name.
	Device string

	// Available: it can be used; else Reason says why not.
	Available bool

	// Chosen: the context uses it.
	Chosen bool

	// Threads of the CPU.
	Threads uint

	// Reason is why it cannot be used.
	Reason string
}

// Backends are those that the library knows, available or not.
func (c *Context) Backends() ([]Backend, error) {
	s, err := c.hold()
	if err != nil {
		return nil, err
	}
	defer s.use.RUnlock()
	var found []Backend
	for {
		info := C.gecc_backend_info{size: C.sizeof_gecc_backend_info}
		if len(found) >= int(C.gecc_backends(s.handle, C.size_t(len(found)), &info)) {
			return found, nil
		}
		found = append(found, Backend{
			Name:      C.GoString(&info.name[0]),
			Device:    C.GoString(&info.device[0]),
			Available: info.available != 0,
			Chosen:    info.chosen != 0,
			Threads:   uint(info.threads),
			Reason:    C.GoString(&info.reason[0]),
		})
	}
}

// KeysConfig says how keys are prepared; what a zero says is what gecc chooses.
type KeysConfig struct {
	// Rows that are expected of each key; 0: some hundred.
	Rows uint

	// Memory are the bytes that tables may take; 0: the default.
	Memory uint

	// Window are the bits of a window, 4 to 16; 0: as many as take the least time.
	Window uint

	// Capacity is how many keys there is to be room for; 0: those that are given.
	Capacity uint
}

// Keys are public keys with tables of their own, which come back: calls name them by number. Copies are the same keys.
type Keys struct {
	state   *keysState
	owner   *owner
	context *owner // which stays open, where nobody closes it
}

type keysState struct {
	context *contextState
	use     sync.RWMutex // as contextState's; taken after it
	handle  *C.gecc_keys
}

// OpenKeys checks public keys and makes their tables: that of row i has number i. The statuses say which were refused,
// and why. config may be nil.
func (c *Context) OpenKeys(curve Curve, publicKeys Rows, config *KeysConfig) (*Keys, Statuses, error) {
	s, err := c.hold()
	if err != nil {
		return nil, nil, err
	}
	defer s.use.RUnlock()
	state := &keysState{context: s}
	_, status, err := state.add(curve, publicKeys, config)
	if err != nil {
		return nil, nil, err
	}
	s.keysMutex.Lock()
	s.keys[state] = struct{}{}
	s.keysMutex.Unlock()
	return &Keys{state, own(state.close), c.owner}, status, nil
}

// Add adds keys, for which the configuration left room: the number of the first, and the statuses.
func (k *Keys) Add(publicKeys Rows) (int, Statuses, error) {
	if k == nil || k.state == nil {
		return 0, nil, ErrClosed
	}
	defer runtime.KeepAlive(k)
	s := k.state
	s.use.RLock()
	defer s.use.RUnlock()
	if s.handle == nil {
		return 0, nil, ErrClosed
	}
	return s.add(0, publicKeys, nil)
}

// add opens the set where there is none.
func (s *keysState) add(curve Curve, publicKeys Rows, config *KeysConfig) (int, Statuses, error) {
	rows, _, err := publicKeys.gathered()
	if err != nil {
		return 0, nil, of("public_keys", err)
	}
	if !rows.isGiven {
		return 0, nil, refuse("public_keys is missing")
	}
	if config == nil {
		config = &KeysConfig{}
	}
	if config.Window > 16 {
		return 0, nil, refuse("config: a window of %d bits", config.Window)
	}
	count := rows.rowsOr(1)
	status, err := allocate[Status](count, 1)
	if err != nil {
		return 0, nil, of("public_keys", err)
	}
	numbers := C.struct_shim_call{curve: C.gecc_curve(curve), count: C.size_t(count)}
	numbers.stride[0], numbers.width[0] = C.size_t(rows.stride), C.size_t(rows.width)
	chosen := C.gecc_keys_config{
		size:     C.sizeof_gecc_keys_config,
		rows:     C.size_t(config.Rows),
		memory:   C.size_t(config.Memory),
		window:   C.uint(config.Window),
		capacity: C.size_t(config.Capacity),
	}
	var first C.size_t
	words := C.shim_keys(&numbers, s.context.handle, &s.handle, &first, &chosen,
		rows.address(), widths(rows.extra().widths), offsets(rows.extra().offsets), statuses(status))
	return int(first), status, failure(numbers.result, words)
}

// Close waits for calls that use them and frees their tables. Calls that come later give [ErrClosed]. It gives no
// error, and may be called again.
func (k *Keys) Close() error {
	if k != nil && k.state != nil {
		k.owner.closeNow()
	}
	return nil
}

func (s *keysState) close() {
	s.context.use.RLock()
	defer s.context.use.RUnlock()
	s.free()
	s.context.keysMutex.Lock()
	delete(s.context.keys, s)
	s.context.keysMutex.Unlock()
}

// free is for who holds the context: it is open, or the set was closed with it.
func (s *keysState) free() {
	s.use.Lock()
	defer s.use.Unlock()
	C.gecc_keys_close(s.handle) // closing NULL does nothing
	s.handle = nil
}
