package gecc

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// columnInfo is a column of an operation.
type columnInfo struct {
	name       string
	isOptional bool
	isSecret   bool
}

// parameters are what operations take besides columns and flags.
type parameters uint

const (
	takesCurve parameters = 1 << iota
	takesHash
	takesModulus
	takesKeys
	takesNonceHash
	takesPointFormat
	takesOutputBytes
)

// operationInfo is an operation, and where the library describes it; nil: it has none of that name.
type operationInfo struct {
	name            string
	takes           parameters
	inputs, outputs []columnInfo
	found           *C.gecc_operation

	// Of each output what the library last said of its widths: asking takes as long as much else here. In the upper half
	// what was asked, and a bit that is always set, below it the least width and the greatest.
	widths [mostOutputs]atomic.Uint64
}

const (
	mostInputs  = C.SHIM_INPUTS
	mostOutputs = C.SHIM_OUTPUTS
)

func init() {
	for i := range operations {
		name := append([]byte(operations[i].name), 0)
		operations[i].found = C.gecc_operation_find((*C.char)(unsafe.Pointer(&name[0])))
	}
}

// call is what typed functions fill in.
type call struct {
	info        *operationInfo
	curve       Curve
	hash        Hash
	modulus     []byte
	keys        *Keys
	isOnKeys    bool
	inputs      [mostInputs]Rows
	flags       Flag
	nonceHash   Hash
	pointFormat PointFormat
	outputBytes int
}

func newCall(operation int) *call { return &call{info: &operations[operation]} }

// set adds a flag that is asked for.
func (c *call) set(flag Flag, isSet bool) {
	if isSet {
		c.flags |= flag
	}
}

// A Call is an operation with its columns and options; it may be run any number of times.
type Call[Result results] struct {
	call    *call
	finish  func(*done) Result
	earlier Result
}

// results are what calls give.
type results interface{ memory() done }

// Into is the call with its results in the memory of an earlier result, as far as there is room, instead of new
// memory: for programs that make large calls without end. Columns of gecc are used up to their capacity, statuses and
// the bytes that NewSecret was given up to their length.
//
// The earlier result is lost, with its columns and Rows made of them, and its secrets are wiped before the call begins,
// whether their memory is used again or not. Errors of the call, which leave the earlier result as it was: one of its
// columns is an input, or is there for two outputs. No two calls may use it at once.
func (c Call[Result]) Into(earlier Result) Call[Result] {
	c.earlier = earlier
	return c
}

// Run has it done, and returns when it is. Error: nothing is known of any row, or where the device failed or a result
// failed its check, of some.
func (c Call[Result]) Run(in *Context) (Result, error) {
	if c.call == nil {
		var nothing Result
		return nothing, refuse("call: made by no function of the package")
	}
	earlier := c.earlier.memory()
	done, err := c.call.run(in, &earlier)
	if err != nil {
		var nothing Result
		return nothing, err
	}
	return c.finish(done), nil
}

// done is what a call gave.
type done struct {
	columns [mostOutputs]Column
	status  Statuses
}

func (d *done) column(i int) *Column {
	return &d.columns[i]
}

func (d *done) secret(i int) *Secret { return &Secret{d.columns[i]} }

func statusesOf(d *done) Statuses { return d.status }

func (s Statuses) memory() done { return memoryOf(s) }

func (n NamedResult) memory() done { return memoryOf(n.Status, n.Columns...) }

func memoryOf(status Statuses, columns ...*Column) done {
	made := done{status: status}
	for i, column := range columns {
		if column != nil && i < mostOutputs {
			made.columns[i] = *column
		}
	}
	return made
}

// room are count rows of width values, in memory that is there where it is enough. C writes all of them.
func room[T any](count, width int, earlier []T) ([]T, error) {
	if width == 0 || cap(earlier)/width < count || count == 0 {
		return allocate[T](count, width)
	}
	return earlier[:count*width], nil
}

// allocate is make for rows of width values, with an error where there is no memory. It asks where they are many.
func allocate[T any](count, width int) ([]T, error) {
	var one T
	row := width * int(unsafe.Sizeof(one))
	if row > 0 && (count > math.MaxInt/row || count > 1<<26/row && !hasRoom(count*row)) {
		return nil, &Error{ErrorMemory, fmt.Sprintf("%d rows of %d bytes are more than there is memory for", count, row)}
	}
	return make([]T, count*width), nil
}

func hasRoom(bytes int) bool { return C.shim_has_room(C.size_t(bytes)) != 0 }

// of is the error of a column, whose name it has before it.
func of(column string, err error) error {
	var known *Error
	if errors.As(err, &known) && err != ErrClosed {
		return &Error{known.Kind, column + ": " + known.Text}
	}
	return err
}

// refuse is the error of an input in memory where results are to go.
func (d *done) refuse(name string, input memory) error {
	for i := range d.columns {
		if overlap(input, d.columns[i].data) {
			return refuse("%s: its memory is that of the earlier result, where results are to go", name)
		}
	}
	return nil
}

// wipe wipes secret columns up to their capacity, which a failed call may have written to.
func (d *done) wipe() {
	for i := range d.columns {
		if column := &d.columns[i]; column.isSecret {
			Wipe(column.data.bytes()[:column.data.capacity])
		}
	}
}

// rowsOr is the number of rows, other where they are one value for any number.
func (r *Rows) rowsOr(other int) int {
	if r.count == everyRow {
		return other
	}
	return r.count
}

// rows are how many rows the columns have; one where all are one value for any number.
func (c *call) rows() (int, error) {
	count, counted := everyRow, ""
	for i, column := range c.info.inputs {
		rows := &c.inputs[i]
		if err := rows.extra().err; err != nil {
			return 0, of(column.name, err)
		}
		if !rows.isGiven {
			if !column.isOptional {
				return 0, refuse("%s is missing", column.name)
			}
			continue
		}
		if rows.count == everyRow {
			continue
		}
		if count != everyRow && rows.count != count {
			return 0, refuse("%s: %d rows, where %s has %d", column.name, rows.count, counted, count)
		}
		count, counted = rows.count, column.name
	}
	if count == everyRow {
		return 1, nil
	}
	return count, nil
}

// run has it done with its results in earlier's memory, while the context and the keys stay open.
func (c *call) run(in *Context, earlier *done) (*done, error) {
	count, err := c.rows()
	if err != nil {
		return nil, err
	}
	context, err := in.hold()
	if err != nil {
		return nil, err
	}
	defer func() {
		context.use.RUnlock()
		runtime.KeepAlive(in)
	}()
	var keys *C.gecc_keys
	if c.isOnKeys {
		if c.keys == nil || c.keys.state == nil {
			return nil, refuse("keys is missing")
		}
		c.keys.state.use.RLock()
		defer func() {
			c.keys.state.use.RUnlock()
			runtime.KeepAlive(c.keys)
		}()
		if keys = c.keys.state.handle; keys == nil {
			return nil, ErrClosed
		}
	}
	return c.runOn(context.handle, keys, count, earlier)
}

// runOn is run on the memory of Go, which cgo keeps where it is until C returns.
func (c *call) runOn(context *C.gecc_context, keys *C.gecc_keys, count int, earlier *done) (*done, error) {
	numbers := C.struct_shim_call{
		curve:         C.gecc_curve(c.curve),
		hash:          C.gecc_hash(c.hash),
		nonce_hash:    C.gecc_hash(c.nonceHash),
		point_format:  C.gecc_point_format(c.pointFormat),
		flags:         C.uint32_t(c.flags),
		count:         C.size_t(count),
		modulus_bytes: C.size_t(len(c.modulus)),
		output_bytes:  C.size_t(c.outputBytes),
	}
	inputs := c.inputs
	var copies [mostInputs][]byte
	defer func() {
		for i := range copies {
			if copies[i] != nil {
				Wipe(copies[i])
			}
		}
	}()
	for i := range c.info.inputs {
		if inputs[i].extra().ragged != nil {
			gathered, copied, err := inputs[i].gathered()
			copies[i] = copied
			if err != nil {
				return nil, of(c.info.inputs[i].name, err)
			}
			inputs[i] = gathered
		}
		numbers.stride[i], numbers.width[i] = C.size_t(inputs[i].stride), C.size_t(inputs[i].width)
		if err := earlier.refuse(c.info.inputs[i].name, inputs[i].data); err != nil {
			return nil, err
		}
	}
	if err := earlier.refuse("modulus", memoryAt(c.modulus)); err != nil {
		return nil, err
	}

	var modulus *C.uint8_t
	if len(c.modulus) > 0 {
		modulus = (*C.uint8_t)(unsafe.Pointer(&c.modulus[0]))
	}
	if len(c.info.outputs) > 0 && !c.recall(&numbers) {
		C.shim_widths(&numbers, c.info.found, keys, modulus)
		c.remember(&numbers)
	}
	result, err := c.place(&numbers, count, earlier)
	if err != nil {
		return nil, err
	}

	words := C.shim_run(&numbers, context, c.info.found, keys, modulus,
		inputs[0].address(), widths(inputs[0].extra().widths), offsets(inputs[0].extra().offsets),
		inputs[1].address(), widths(inputs[1].extra().widths), offsets(inputs[1].extra().offsets),
		inputs[2].address(), widths(inputs[2].extra().widths), offsets(inputs[2].extra().offsets),
		inputs[3].address(), widths(inputs[3].extra().widths), offsets(inputs[3].extra().offsets),
		inputs[4].address(), widths(inputs[4].extra().widths), offsets(inputs[4].extra().offsets),
		inputs[5].address(), widths(inputs[5].extra().widths), offsets(inputs[5].extra().offsets),
		result.columns[0].address(), widths(result.columns[0].widths),
		result.columns[1].address(), widths(result.columns[1].widths),
		result.columns[2].address(), widths(result.columns[2].widths),
		statuses(result.status))
	if err := failure(numbers.result, words); err != nil {
		result.wipe()
		return nil, err
	}
	return result, nil
}

// place is where results go, in earlier's memory as far as there is room, whose secrets it wipes.
func (c *call) place(numbers *C.struct_shim_call, count int, earlier *done) (*done, error) {
	result := &done{}
	for i, output := range c.info.outputs {
		memory := &earlier.columns[i]
		for j, other := range earlier.columns[:i] {
			if overlap(memory.data, other.data) || overlap(other.data, memory.data) {
				return nil, refuse("%s: its memory in the earlier result is that of %s, too", output.name, c.info.outputs[j].name)
			}
		}
		least, most := int(numbers.least[i]), int(numbers.most[i])
		if most == math.MaxInt {
			return nil, refuse("output_bytes: has to say how wide %s may be", output.name)
		}
		if least != most && (memory.data.capacity/most < count || cap(memory.widths) < count) {
			memory = &Column{} // data and widths are never those of different columns
		}
		column := Column{stride: most, count: count, isSecret: output.isSecret}
		data, err := room(count, most, memory.data.bytes())
		if err == nil && least != most {
			column.widths, err = room(count, 1, memory.widths)
		}
		if err != nil {
			return nil, of(output.name, err)
		}
		column.data = memoryAt(data)
		result.columns[i] = column
		numbers.out_stride[i] = C.size_t(most)
	}
	given := earlier.status[:len(earlier.status):len(earlier.status)] // what is behind may be the caller's
	status, err := room(count, 1, given)
	if err != nil {
		return nil, of("status", err)
	}
	result.status = status[:count:count]
	earlier.wipe()
	return result, nil
}

// asked is what the widths of outputs depend on, in a word of 32 bits; 0: it does not fit, or there is more to it.
func (c *call) asked() uint64 {
	selected := uint64(c.curve) | uint64(c.hash)
	isPlain := !c.isOnKeys && c.modulus == nil && (c.curve == 0 || c.hash == 0)
	if !isPlain || c.outputBytes != 0 || selected >= 1<<7 || c.pointFormat >= 1<<4 || c.flags >= 1<<20 {
		return 0
	}
	return 1<<31 | selected<<24 | uint64(c.pointFormat)<<20 | uint64(c.flags)
}

// recall sets the widths of outputs where they are known.
func (c *call) recall(numbers *C.struct_shim_call) bool {
	asked := c.asked()
	for i := range c.info.outputs {
		known := c.info.widths[i].Load()
		if asked == 0 || known>>32 != asked {
			return false
		}
		numbers.least[i], numbers.most[i] = C.size_t(known>>16&0xffff), C.size_t(known&0xffff)
	}
	return true
}

// remember keeps no zeros: an argument was wrong then, which may be one that widths do not depend on.
func (c *call) remember(numbers *C.struct_shim_call) {
	asked := c.asked()
	for i := range c.info.outputs {
		least, most := uint64(numbers.least[i]), uint64(numbers.most[i])
		if asked != 0 && most > 0 && most <= 0xffff {
			c.info.widths[i].Store(asked<<32 | least<<16 | most)
		}
	}
}

// overlap says whether a has a byte where b has one, or room for one.
func overlap(a, b memory) bool {
	first, other := uintptr(unsafe.Pointer(a.first)), uintptr(unsafe.Pointer(b.first))
	return a.length > 0 && first < other+uintptr(b.capacity) && other < first+uintptr(a.length)
}

// nothing is where columns of no bytes and of no rows begin, which are not left out.
var nothing struct {
	data    [1]byte
	widths  [1]uint32
	offsets [1]uint64
}

func first(data []byte) *C.uint8_t {
	if len(data) == 0 {
		data = nothing.data[:]
	}
	return (*C.uint8_t)(unsafe.Pointer(&data[0]))
}

// address is NULL for a column that is left out.
func (r *Rows) address() *C.uint8_t {
	if !r.isGiven {
		return nil
	}
	return first(r.data.bytes())
}

// address is NULL for a column that the operation does not have.
func (c *Column) address() *C.uint8_t {
	if c.stride == 0 {
		return nil
	}
	return first(c.data.bytes())
}

func widths(widths []uint32) *C.uint32_t {
	if widths == nil {
		return nil
	}
	if len(widths) == 0 {
		widths = nothing.widths[:]
	}
	return (*C.uint32_t)(unsafe.Pointer(&widths[0]))
}

func offsets(offsets []uint64) *C.uint64_t {
	if offsets == nil {
		return nil
	}
	if len(offsets) == 0 {
		offsets = nothing.offsets[:]
	}
	return (*C.uint64_t)(unsafe.Pointer(&offsets[0]))
}

func statuses(status Statuses) *C.uint8_t {
	if len(status) == 0 {
		return first(nil)
	}
	return (*C.uint8_t)(unsafe.Pointer(&status[0]))
}

// A Named is a call of an operation by its name, for programs that learn at run time what to call.
type Named struct {
	// Operation is "ecdsa.verify", say.
	Operation string

	// Curve, which may be 0 where the operation has one alone, or Keys are of one.
	Curve Curve

	// Hash of digest.
	Hash Hash

	// Modulus of arithmetic, big-endian.
	Modulus []byte

	// Keys whose numbers are in a column.
	Keys *Keys

	// Flags, or'ed. One that means nothing to the operation makes the call an error.
	Flags Flag

	// NonceHash is the hash of which HMAC makes nonces.
	NonceHash Hash

	// PointFormat is how points are written.
	PointFormat PointFormat

	// OutputBytes is how many bytes a derived key has, or a ciphertext or plaintext at most.
	OutputBytes int

	// Inputs by their names.
	Inputs map[string]Rows
}

// NamedResult are the outputs in their order, secret ones among them, which nothing wipes, and the statuses.
type NamedResult struct {
	Columns []*Column
	Status  Statuses
}

// Call makes the call. Error: no operation is called so, it has no column of such a name, or it takes no curve, hash,
// modulus, keys, hash of nonces, format of points or width of outputs, and one is given.
func (n *Named) Call() (Call[NamedResult], error) {
	for i := range operations {
		info := &operations[i]
		if info.name != n.Operation {
			continue
		}
		for _, given := range []struct {
			name    string
			takes   parameters
			isGiven bool
		}{
			{"curve", takesCurve, n.Curve != 0},
			{"hash", takesHash, n.Hash != 0},
			{"modulus", takesModulus, n.Modulus != nil},
			{"keys", takesKeys, n.Keys != nil},
			{"nonce_hash", takesNonceHash, n.NonceHash != 0},
			{"point_format", takesPointFormat, n.PointFormat != 0},
			{"output_bytes", takesOutputBytes, n.OutputBytes != 0},
		} {
			if given.isGiven && info.takes&given.takes == 0 {
				return Call[NamedResult]{}, refuse("%s: %s takes none", given.name, info.name)
			}
		}
		c := &call{info: info, curve: n.Curve, hash: n.Hash, modulus: n.Modulus,
			keys: n.Keys, isOnKeys: info.takes&takesKeys != 0, flags: n.Flags,
			nonceHash: n.NonceHash, pointFormat: n.PointFormat, outputBytes: n.OutputBytes}
		for name, rows := range n.Inputs {
			place := -1
			for i, column := range info.inputs {
				if column.name == name {
					place = i
				}
			}
			if place < 0 {
				return Call[NamedResult]{}, refuse("%s: %s has no such column", name, info.name)
			}
			c.inputs[place] = rows
		}
		return Call[NamedResult]{call: c, finish: func(d *done) NamedResult {
			made := NamedResult{Status: d.status}
			for i := range info.outputs {
				made.Columns = append(made.Columns, d.column(i))
			}
			return made
		}}, nil
	}
	return Call[NamedResult]{}, refuse("operation: none is called %q", n.Operation)
}
