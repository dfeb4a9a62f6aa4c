package org.gecc;

import java.nio.ByteBuffer;

/** An output column in the caller's memory: an array, or a direct buffer, to which calls write without a copy. */
public final class Out {
    final Object data;
    final int offset;
    final int stride;
    final int[] widths;

    private Out(Object data, int length, int offset, int stride, int[] widths) {
        if (offset < 0 || offset > length || stride <= 0) {
            throw GeccException.argument("out: no rows %d apart from byte %d on, of %d bytes", stride, offset, length);
        }
        this.data = data;
        this.offset = offset;
        this.stride = stride;
        this.widths = widths;
    }

    /** Rows that begin {@code stride} bytes apart, which is at least the greatest width that a row can have. */
    public static Out strided(byte[] bytes, int offset, int stride) {
        return new Out(GeccException.notNull(bytes, "out"), bytes.length, offset, stride, null);
    }

    /** The same in a direct buffer, from its position to its limit. */
    public static Out strided(ByteBuffer direct, int offset, int stride) {
        ByteBuffer buffer = Rows.slice(direct);
        if (buffer.isReadOnly()) {
            throw GeccException.argument("out: the buffer can only be read");
        }
        return new Out(buffer, buffer.capacity(), offset, stride, null);
    }

    /** {@code widths[i]} gets the width of row i, which has to be there for signatures in DER. */
    public Out withWidths(int[] widths) {
        return new Out(data, offset, offset, stride, GeccException.notNull(widths, "widths"));
    }
}
