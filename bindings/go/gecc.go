// Package gecc is elliptic-curve cryptography in bulk: one call checks, makes or recovers as many signatures as its
// columns have rows, and every row gets a verdict of its own; a bad one touches no other. What runs, portable C, BMI2
// and ADX, AVX-512 IFMA or an NVIDIA GPU, is chosen where the program runs.
//
// A function for each operation, as [ECDSAVerify], makes a [Call] of columns and options; [Call.Run] has it done,
// [Call.Submit] does so in the background. [Named] is for programs that learn at run time what to call.
//
//   - Columns are [Rows]: [Arrays], [Packed], [Strided], [Same], [Ragged], [RaggedAt], [Numbers]. What is wrong with one
//     is an error of the call that it is given to.
//   - A call that cannot be done is an [Error], whose words name the argument; what came of a row is a [Status]. Memory
//     that was not written reads as [StatusNotProcessed].
//   - Results that are secret come in a [Secret], which wipes them when it is told to. Of rows, columns and secrets
//     package fmt prints the shape alone, and of fields that are not exported addresses.
//   - Any number of goroutines may use a [Context] and [Keys]. A call crosses to C once or twice, whatever its number of
//     rows, and occupies a thread of the system until it is done.
package gecc

// #include <stdlib.h>
// #include "shim.h"
import "C"

import (
	"fmt"
	"strings"
	"unsafe"
)

// An Error says why a call was not done. errors.Is finds its Kind.
type Error struct {
	Kind ErrorKind

	// Text is what is wrong, in words that name the argument; never with contents of a row.
	Text string
}

// Error is the text.
func (e *Error) Error() string {
	if e.Text == "" {
		return "gecc: " + e.Kind.Error()
	}
	return "gecc: " + e.Text
}

// Unwrap gives the kind.
func (e *Error) Unwrap() error { return e.Kind }

// ErrClosed is the error of calls in a context, or on a set of keys, that is closed or was never opened.
var ErrClosed error = &Error{ErrorArgument, "the context or the set of keys is closed, or was never opened"}

func refuse(format string, values ...any) error {
	return &Error{ErrorArgument, fmt.Sprintf(format, values...)}
}

// failure is the error of a call that gave result, and words in C's memory, which it frees.
func failure(result C.gecc_result, words *C.char) error {
	if result == C.GECC_OK {
		return nil
	}
	defer C.free(unsafe.Pointer(words))
	return &Error{ErrorKind(result), text(words)}
}

// text is a text of C; "" for NULL.
func text(address *C.char) string { return C.GoString(address) }

// textOr is a text of C, or where it has none the type's name and the number.
func textOr(address *C.char, kind string, value uint32) string {
	if address == nil {
		return fmt.Sprintf("%s(%d)", kind, value)
	}
	return C.GoString(address)
}

// named is what C finds by a name; none: its value for a name that is nothing's.
func named[T ~uint32](what, name string, find func(*C.char) int64, none int64) (T, error) {
	value := none
	if !strings.Contains(name, "\x00") {
		address := C.CString(name)
		defer C.free(unsafe.Pointer(address))
		value = find(address)
	}
	if value == none {
		return 0, refuse("%s: none is called %q", what, name)
	}
	return T(value), nil
}

// Version is that of the library that runs: "0.3.0".
func Version() string { return text(C.gecc_version()) }

// A Curve is an elliptic curve.
type Curve uint32

// String is the name that people write: "P-256".
func (c Curve) String() string {
	return textOr(C.gecc_curve_name(C.gecc_curve(c)), "Curve", uint32(c))
}

// CurveNamed is the curve of a name, or an object identifier: "prime256v1", "1.2.840.10045.3.1.7".
func CurveNamed(name string) (Curve, error) {
	return named[Curve]("curve", name, func(name *C.char) int64 { return int64(C.gecc_curve_named(name)) }, 0)
}

// A Hash is a hash; as that of nonces 0 is the curve's own.
type Hash uint32

// String is the name that people write: "SHA-256".
func (h Hash) String() string {
	return textOr(C.gecc_hash_name(C.gecc_hash(h)), "Hash", uint32(h))
}

// HashNamed is the hash of a name, with or without the hyphen.
func HashNamed(name string) (Hash, error) {
	return named[Hash]("hash", name, func(name *C.char) int64 { return int64(C.gecc_hash_named(name)) }, 0)
}

// A PointFormat says how points are written; as rows that are read, all are told apart by their widths.
type PointFormat uint32

// PointFormatNamed is the format of a name: "uncompressed", "compressed", "raw".
func PointFormatNamed(name string) (PointFormat, error) {
	find := func(name *C.char) int64 { return int64(C.gecc_point_format_named(name)) }
	return named[PointFormat]("point_format", name, find, -1)
}

// A Flag is an option of an operation, for [Named]; options of typed functions have fields instead.
type Flag uint32

// String is its name: "low_s".
func (f Flag) String() string { return textOr(C.gecc_flag_name(C.uint32_t(f)), "Flag", uint32(f)) }

// FlagNamed is the flag of a name.
func FlagNamed(name string) (Flag, error) {
	return named[Flag]("flag", name, func(name *C.char) int64 { return int64(C.gecc_flag_named(name)) }, 0)
}

// An ErrorKind is the kind of a failure. It is an error itself, so that errors.Is(err, gecc.ErrorArgument) asks for
// it.
type ErrorKind uint32

// Error says in words what it is.
func (k ErrorKind) Error() string { return text(C.gecc_result_text(C.gecc_result(k))) }

// Name is the library's name for it: "ERROR_ARGUMENT".
func (k ErrorKind) Name() string {
	return textOr(C.gecc_result_name(C.gecc_result(k)), "ErrorKind", uint32(k))
}

// A Status is what came of one row.
type Status uint8

// String says in words what it is.
func (s Status) String() string { return text(C.gecc_item_text(C.uint8_t(s))) }

// Name is the library's name for it: "MALFORMED_POINT_RANGE".
func (s Status) Name() string { return textOr(C.gecc_item_name(C.uint8_t(s)), "Status", uint32(s)) }

// IsMalformed says whether the row was refused: it is not well formed.
func (s Status) IsMalformed() bool { return s >= StatusMalformedWidth }

// Statuses are what came of each row.
type Statuses []Status

// AllOK says whether every row is valid, or computed. False where there is no row: nothing was checked.
func (s Statuses) AllOK() bool {
	for _, status := range s {
		if status != StatusOK {
			return false
		}
	}
	return len(s) > 0
}
