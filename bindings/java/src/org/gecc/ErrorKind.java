// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** Why a call was not done. */
public enum ErrorKind {
    /** An argument is NULL, out of range or inconsistent. */
    ARGUMENT(1),
    /** Not enough memory. */
    MEMORY(2),
    /** A thread could not be started. */
    THREAD(3),
    /** The backend asked for is not available. */
    NO_BACKEND(4),
    /** This backend does not offer this operation. */
    UNSUPPORTED(5),
    /** The device failed; rows marked as not processed have no result. */
    DEVICE(6),
    /** A result failed its check; rows marked as not processed have no result. */
    FAULT(8),
    /** Cancelled; rows marked as not processed have no result. */
    CANCELLED(9),
    /** The queue is full. */
    BUSY(10),
    /** What a later version of the library gives. */
    OTHER(-1),
    ;

    private final int value;

    ErrorKind(int value) {
        this.value = value;
    }

    /** The library's number for it. */
    public int value() {
        return value;
    }

    /** What it means, in English. */
    public String text() {
        String text = Native.text(Native.RESULT, value);
        return text == null ? name() : text;
    }

    private static final ErrorKind[] ALL = values();

    /** What the library's number means. */
    public static ErrorKind of(int value) {
        for (ErrorKind each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return OTHER;
    }
}
