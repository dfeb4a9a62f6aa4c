package gecc

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"unsafe"
)

// Rows are an input column. They refer to the memory that they are made of, which must not be written to before the
// call is done. The zero value is a column that is left out.
type Rows struct {
	data          memory
	width, stride int
	count         int // or everyRow
	isGiven       bool
	more          *more
}

// more is what few columns have. Nobody changes it.
type more struct {
	widths  []uint32
	offsets []uint64
	ragged  *[][]byte // which package fmt does not follow here, see memory
	err     error
}

// memory is a slice of bytes, which may be secret. Package fmt calls no methods on fields that are not exported, and
// prints slices and what pointers to them point to, but of a pointer to a byte the address.
type memory struct {
	first            *byte
	length, capacity int
}

func memoryAt(data []byte) memory {
	if cap(data) == 0 {
		return memory{}
	}
	return memory{&data[:1][0], len(data), cap(data)}
}

func (m memory) bytes() []byte { return unsafe.Slice(m.first, m.capacity)[:m.length] }

var noMore more

// extra is what a column has more.
func (r *Rows) extra() *more {
	if r.more == nil {
		return &noMore
	}
	return r.more
}

func badRows(err error) Rows { return Rows{isGiven: true, more: &more{err: err}} }

// everyRow is the count of a value that serves for any number of rows.
const everyRow = -1

// An Array is an array of bytes of a width that columns of gecc have; rows of other widths: [Packed].
type Array interface {
	~[1]byte | ~[4]byte | ~[16]byte | ~[20]byte | ~[24]byte | ~[28]byte | ~[32]byte | ~[33]byte | ~[48]byte |
		~[49]byte | ~[56]byte | ~[64]byte | ~[65]byte | ~[66]byte | ~[67]byte | ~[96]byte | ~[97]byte | ~[128]byte |
		~[129]byte | ~[132]byte | ~[133]byte
}

// Arrays are rows as they lie.
func Arrays[A Array](rows []A) Rows {
	var one A
	width := len(one)
	made := Rows{width: width, stride: width, count: len(rows), isGiven: true}
	if len(rows) > 0 {
		made.data = memoryAt(unsafe.Slice((*byte)(unsafe.Pointer(&rows[0])), len(rows)*width))
	}
	return made
}

// Bytes32 are rows of 32 bytes.
func Bytes32(rows [][32]byte) Rows { return Arrays(rows) }

// Bytes64 are rows of 64 bytes.
func Bytes64(rows [][64]byte) Rows { return Arrays(rows) }

// Packed are rows of one width that follow each other. An error of the call: data is no multiple of it.
func Packed(data []byte, width int) Rows {
	if width <= 0 || len(data)%width != 0 {
		return badRows(refuse("%d bytes are no rows of %d bytes", len(data), width))
	}
	return Rows{data: memoryAt(data), width: width, stride: width, count: len(data) / width, isGiven: true}
}

// Strided are count rows of width bytes, stride bytes apart, as fields of records are. An error of the call: they do
// not lie within data.
func Strided(data []byte, width, stride, count int) Rows {
	isWithin := width >= 0 && stride >= 0 && count >= 0
	if isWithin && count > 0 {
		high, last := bits.Mul64(uint64(count-1), uint64(stride))
		isWithin = high == 0 && width <= len(data) && last <= uint64(len(data)-width)
	}
	if !isWithin {
		return badRows(refuse("%d rows of %d bytes, %d apart, do not lie within %d bytes", count, width, stride, len(data)))
	}
	return Rows{data: memoryAt(data), width: width, stride: stride, count: count, isGiven: true}
}

// Same is one value for all rows; nil is one of no bytes.
func Same(value []byte) Rows {
	return Rows{data: memoryAt(value), width: len(value), count: everyRow, isGiven: true}
}

// Ragged are rows that lie anywhere and may have different widths; a nil one has no bytes. The call copies them, and
// wipes the copy.
func Ragged(rows [][]byte) Rows {
	return Rows{count: len(rows), isGiven: true, more: &more{ragged: &rows}}
}

// RaggedAt are rows of different widths: row i is the widths[i] bytes of data from offsets[i] on. An error of the
// call: one does not lie within data.
func RaggedAt(data []byte, offsets []uint64, widths []uint32) Rows {
	if len(offsets) != len(widths) {
		return badRows(refuse("%d offsets, where there are %d widths", len(offsets), len(widths)))
	}
	// Copies, which nobody changes after they were looked at.
	own := &more{offsets: append([]uint64{}, offsets...), widths: append([]uint32{}, widths...)}
	for row, offset := range own.offsets {
		if end, carry := bits.Add64(offset, uint64(own.widths[row]), 0); carry != 0 || end > uint64(len(data)) {
			return badRows(refuse("row %d does not lie within %d bytes", row, len(data)))
		}
	}
	return Rows{data: memoryAt(data), count: len(widths), isGiven: true, more: own}
}

// Numbers are the numbers of keys.
func Numbers(numbers []uint32) Rows {
	data := make([]byte, 4*len(numbers))
	for i, number := range numbers {
		binary.LittleEndian.PutUint32(data[4*i:], number)
	}
	return Packed(data, 4)
}

// Format says of what shape they are: rows may be secret.
func (r Rows) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "Rows{count: %d, width: %d, stride: %d}", r.count, r.width, r.stride)
}

// gathered are rows as C reads them, and what has to be wiped after the call.
func (r Rows) gathered() (Rows, []byte, error) {
	if r.extra().err != nil || r.extra().ragged == nil {
		return r, nil, r.extra().err
	}
	ragged := *r.extra().ragged
	bytes := 0
	for _, row := range ragged {
		if bytes += len(row); bytes < 0 {
			bytes = math.MaxInt // more than there is memory for
			break
		}
	}
	data, err := allocate[byte](bytes, 1)
	if err != nil {
		return r, nil, err
	}
	data, count := data[:0], len(ragged)
	own := &more{offsets: make([]uint64, count), widths: make([]uint32, count)}
	for i, row := range ragged {
		if uint64(len(row)) > math.MaxUint32 {
			return r, data, refuse("row %d has %d bytes", i, len(row))
		}
		own.offsets[i], own.widths[i] = uint64(len(data)), uint32(len(row))
		data = append(data, row...)
	}
	return Rows{data: memoryAt(data), count: count, isGiven: true, more: own}, data, nil
}

// Wipe writes zeros over secrets.
func Wipe(secret []byte) {
	for i := range secret {
		secret[i] = 0
	}
	runtime.KeepAlive(secret)
}
