package org.gecc;

import java.nio.ByteBuffer;

/** What came of each row. */
public final class Statuses {
    private final byte[] bytes;

    Statuses(byte[] bytes) {
        this.bytes = bytes;
    }

    /** How many rows there are. */
    public int size() {
        return bytes.length;
    }

    /** The status of row {@code index}. */
    public Status get(int index) {
        return Status.of(bytes[index] & 0xff);
    }

    /** Whether row {@code index} is valid, or computed. */
    public boolean isOk(int index) {
        return bytes[index] == Status.OK.value();
    }

    /** Whether every row is valid, or computed. False where there is no row: nothing was checked. */
    public boolean allOk() {
        ByteBuffer eights = ByteBuffer.wrap(bytes);
        long others = 0;
        for (int i = 0; i + 8 <= bytes.length; i += 8) {
            others |= eights.getLong(i) ^ Status.OK.value() * 0x0101010101010101L;
        }
        for (int i = bytes.length & ~7; i < bytes.length; i++) {
            others |= bytes[i] ^ Status.OK.value();
        }
        return bytes.length > 0 && others == 0;
    }

    /** One byte a row, of which {@link Status#of} tells the meaning: no copy. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "Statuses[" + bytes.length + (allOk() ? " rows, all OK]" : " rows, not all OK]");
    }
}
