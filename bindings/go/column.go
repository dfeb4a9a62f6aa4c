package gecc

import "fmt"

// A Column is what a call gives: row i starts at i times its stride. A row without a result is zeros.
type Column struct {
	data   memory
	stride int
	widths []uint32
	count  int

	isSecret bool // so that Into wipes it
}

// Len is the number of rows.
func (c *Column) Len() int { return c.count }

// Width is that of every row, or where HasWidths the greatest.
func (c *Column) Width() int { return c.stride }

// HasWidths says whether rows may differ in their widths, as signatures in DER do.
func (c *Column) HasWidths() bool { return c.widths != nil }

// Row is row i, which is no copy; in its own width, which is 0 without a result, where rows differ in it. Panics past
// the last row, and where [Call.Into] has put wider rows into the column's memory.
func (c *Column) Row(i int) []byte {
	if uint(i) >= uint(c.count) {
		panic(fmt.Sprintf("gecc: row %d of %d", i, c.count))
	}
	width := c.stride
	if c.widths != nil {
		if width = int(c.widths[i]); width > c.stride {
			panic(lost(i, width, c.stride))
		}
	}
	start := i * c.stride
	return c.data.bytes()[start : start+width : start+width]
}

// Bytes are all rows, Width bytes each, which is no copy.
func (c *Column) Bytes() []byte { return c.data.bytes()[:c.data.length:c.data.length] }

// lost is the error of a row that [Call.Into] has made wider than its column is.
func lost(row, width, stride int) error {
	return refuse("row %d has %d bytes in a column of %d: its memory is a later result's", row, width, stride)
}

// Format says of what shape the column is: it may be secret.
func (c Column) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "Column{%d rows, width %d}", c.count, c.stride)
}

// Rows are the rows as an input of another call. An error of that call: [Call.Into] has put wider rows into the
// column's memory.
func (c *Column) Rows() Rows {
	rows := Rows{data: c.data, width: c.stride, stride: c.stride, count: c.count, isGiven: true}
	if c.widths != nil {
		// A copy, which nobody changes after it was looked at: C trusts widths.
		own := &more{widths: append([]uint32{}, c.widths...)}
		for i, width := range own.widths {
			if width > uint32(c.stride) {
				return badRows(lost(i, int(width), c.stride))
			}
		}
		rows.more = own
	}
	return rows
}

// A Secret is a column of secrets, which package fmt does not print. Go wipes nothing by itself: defer Wipe.
type Secret struct{ column Column }

// NewSecret takes over rows of width bytes. Error: data is no multiple of it, and was wiped.
func NewSecret(data []byte, width int) (*Secret, error) {
	rows := Packed(data, width)
	if err := rows.extra().err; err != nil {
		Wipe(data)
		return nil, err
	}
	rows.data.capacity = len(data) // what is behind is the caller's
	return &Secret{Column{data: rows.data, stride: rows.width, count: rows.count, isSecret: true}}, nil
}

// Expose gives the secrets themselves, until they are wiped. What is copied from there is the caller's to wipe.
func (s *Secret) Expose() *Column { return &s.column }

// Rows are the rows as an input of another call.
func (s *Secret) Rows() Rows { return s.column.Rows() }

// Len is the number of rows.
func (s *Secret) Len() int { return s.column.count }

func (s *Secret) memory() *Column {
	if s == nil {
		return nil
	}
	return &s.column
}

// Wipe writes zeros over the secrets.
func (s *Secret) Wipe() { Wipe(s.column.Bytes()) }

// Format says how many rows there are.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "Secret{%d rows}", s.column.count) }
