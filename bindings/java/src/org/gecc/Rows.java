package org.gecc;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An input column: where each row is in an array or in a direct buffer. Nothing of it is copied before a call; a call
 * copies arrays, and uses direct buffers as they lie, which nobody may change while it runs.
 */
public final class Rows {
    private static final int ANY = -1;

    final Object data; // byte[], or a direct ByteBuffer whose first byte is that at index 0
    final int offset;
    final int stride;
    final int width;
    final int[] widths;
    final long[] offsets;
    private final int count;
    private final byte[][] given; // of which the data is a copy

    private Rows(Object data, int offset, int stride, int width, int count, int[] widths, long[] offsets,
            byte[][] given) {
        this.data = data;
        this.offset = offset;
        this.stride = stride;
        this.width = width;
        this.count = count;
        this.widths = widths;
        this.offsets = offsets;
        this.given = given;
    }

    /** Rows of {@code width} bytes that follow each other. */
    public static Rows packed(byte[] bytes, int width) {
        return even(GeccException.notNull(bytes, "rows"), bytes.length, 0, width, width,
                packedCount(bytes.length, width));
    }

    /** Rows of {@code width} bytes that follow each other, from the buffer's position to its limit. */
    public static Rows packed(ByteBuffer direct, int width) {
        ByteBuffer buffer = slice(direct);
        return even(buffer, buffer.capacity(), 0, width, width, packedCount(buffer.capacity(), width));
    }

    /** One value for all rows. */
    public static Rows same(byte[] bytes) {
        return new Rows(GeccException.notNull(bytes, "rows"), 0, 0, bytes.length, ANY, null, null, null);
    }

    /** One value for all rows, from the buffer's position to its limit. */
    public static Rows same(ByteBuffer direct) {
        ByteBuffer buffer = slice(direct);
        return new Rows(buffer, 0, 0, buffer.capacity(), ANY, null, null, null);
    }

    /** {@code count} rows of {@code width} bytes, the first at {@code offset}, then {@code stride} apart. */
    public static Rows strided(byte[] bytes, int offset, int width, int stride, int count) {
        return even(GeccException.notNull(bytes, "rows"), bytes.length, offset, width, stride, count);
    }

    /** {@code count} rows of {@code width} bytes, the first at {@code offset} from the buffer's position. */
    public static Rows strided(ByteBuffer direct, int offset, int width, int stride, int count) {
        ByteBuffer buffer = slice(direct);
        return even(buffer, buffer.capacity(), offset, width, stride, count);
    }

    /** Rows of any widths, which are copied now. */
    public static Rows ragged(byte[][] rows) {
        long[] offsets = new long[GeccException.notNull(rows, "rows").length];
        int[] widths = new int[rows.length];
        long bytes = 0;
        for (int i = 0; i < rows.length; i++) {
            offsets[i] = bytes;
            widths[i] = GeccException.notNull(rows[i], "row " + i).length;
            bytes += widths[i];
        }
        if (bytes > Integer.MAX_VALUE - 8) {
            throw GeccException.argument("rows: %d bytes are too many for one array", bytes);
        }
        byte[] data = new byte[(int) bytes];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, data, (int) offsets[i], widths[i]);
        }
        return new Rows(data, 0, 0, 0, rows.length, widths, offsets, rows.clone());
    }

    /** Rows of different widths: row i is the {@code widths[i]} bytes from {@code offsets[i]} on. */
    public static Rows ragged(byte[] bytes, long[] offsets, int[] widths) {
        return uneven(GeccException.notNull(bytes, "rows"), bytes.length, offsets, widths);
    }

    /** Rows of different widths: row i is the {@code widths[i]} bytes from {@code offsets[i]} after the position on. */
    public static Rows ragged(ByteBuffer direct, long[] offsets, int[] widths) {
        ByteBuffer buffer = slice(direct);
        return uneven(buffer, buffer.capacity(), offsets, widths);
    }

    /** Rows of a column of results. */
    static Rows of(byte[] data, int stride, int count, int[] widths) {
        return new Rows(data, 0, stride, stride, count, widths, null, null);
    }

    /** The bytes from position to limit, which what the caller does with the buffer's position does not change. */
    static ByteBuffer slice(ByteBuffer buffer) {
        if (!GeccException.notNull(buffer, "rows").isDirect()) {
            throw GeccException.argument("rows: the buffer is not direct; give its array()");
        }
        return buffer.slice();
    }

    private static int packedCount(int bytes, int width) {
        if (width <= 0 || bytes % width != 0) {
            throw GeccException.argument("rows: %d bytes are no rows of %d bytes", bytes, width);
        }
        return bytes / width;
    }

    private static Rows even(Object data, int length, int offset, int width, int stride, int count) {
        boolean isNegative = (offset | width | stride | count) < 0;
        long end = offset + (count == 0 ? 0 : (count - 1L) * stride + width);
        if (isNegative || end > length) {
            throw GeccException.argument(
                    "rows: %d rows of %d bytes, %d apart from byte %d on, do not lie within %d bytes",
                    count, width, stride, offset, length);
        }
        return new Rows(data, offset, stride, width, count, null, null, null);
    }

    private static Rows uneven(Object data, int length, long[] offsets, int[] widths) {
        long[] from = GeccException.notNull(offsets, "offsets").clone();
        int[] wide = GeccException.notNull(widths, "widths").clone();
        if (from.length != wide.length) {
            throw GeccException.argument("rows: %d offsets, where there are %d widths", from.length, wide.length);
        }
        for (int i = 0; i < from.length; i++) {
            if (from[i] < 0 || wide[i] < 0 || from[i] > length - (long) wide[i]) {
                throw GeccException.argument("rows: row %d does not lie within %d bytes", i, length);
            }
        }
        return new Rows(data, 0, 0, 0, from.length, wide, from, null);
    }

    /** Whether it is one value for any number of rows. */
    boolean isAny() {
        return count == ANY;
    }

    /** How many rows there are; of one value for all, 1. */
    public int size() {
        return isAny() ? 1 : count;
    }

    /** Write zeros over the rows: over the caller's array or buffer, and over what was copied of it. */
    public void wipe() {
        for (int i = 0; i < size(); i++) {
            int start = offsets != null ? (int) offsets[i] : offset + i * stride;
            int bytes = widths != null ? widths[i] : width;
            if (data instanceof byte[]) {
                Arrays.fill((byte[]) data, start, start + bytes, (byte) 0);
            } else {
                for (int j = start; j < start + bytes; j++) {
                    ((ByteBuffer) data).put(j, (byte) 0);
                }
            }
        }
        if (given != null) {
            for (byte[] row : given) {
                Arrays.fill(row, (byte) 0);
            }
        }
    }

    /** Of what shape they are: rows may be secret. */
    @Override
    public String toString() {
        String of = offsets != null || widths != null ? "different widths" : width + " bytes";
        return "Rows[" + (isAny() ? "one value" : count + " rows") + " of " + of + "]";
    }
}
