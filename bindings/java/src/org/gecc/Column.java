package org.gecc;

import java.util.Arrays;

/** A column of results. A row without a result is zeros. */
public final class Column {
    private final byte[] data;
    private final int stride;
    private final int[] widths;
    private final int count;

    Column(byte[] data, int[] widths, int count) {
        this.data = count == 0 ? new byte[0] : data; // of no row one is given, which says how wide rows are
        this.stride = data.length / Math.max(count, 1);
        this.widths = widths;
        this.count = count;
    }

    /** How many rows there are. */
    public int size() {
        return count;
    }

    /** How many bytes row {@code index} has: where rows differ in it, 0 without a result. */
    public int width(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("row " + index + " of " + count);
        }
        return widths == null ? stride : widths[index];
    }

    /** A copy of row {@code index}. */
    public byte[] row(int index) {
        int width = width(index);
        return Arrays.copyOfRange(data, index * stride, index * stride + width);
    }

    /** The rows as they lie, {@link #stride} bytes apart: no copy. */
    public byte[] bytes() {
        return data;
    }

    /** How many bytes rows are apart. */
    public int stride() {
        return stride;
    }

    /** The rows for another call: no copy. */
    public Rows rows() {
        return Rows.of(data, stride, count, widths);
    }

    /** Write zeros over all rows. The garbage collector may have left copies where they were before it moved them. */
    public void wipe() {
        Arrays.fill(data, (byte) 0);
    }

    /** Of what shape it is: rows may be secret. */
    @Override
    public String toString() {
        return "Column[" + count + " rows of " + (widths == null ? "" : "up to ") + stride + " bytes]";
    }
}
