package org.gecc;

import java.nio.charset.StandardCharsets;

/** A call that was not done. Its message names the argument that is wrong, and never holds what a row holds. */
public final class GeccException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorKind kind;

    /** What the library says; called from C. */
    GeccException(int result, byte[] text) {
        super(new String(text, StandardCharsets.UTF_8));
        kind = ErrorKind.of(result);
    }

    private GeccException(String text) {
        super(text);
        kind = ErrorKind.ARGUMENT;
    }

    /** What kind of failure it is. */
    public ErrorKind kind() {
        return kind;
    }

    static GeccException argument(String format, Object... arguments) {
        return new GeccException(String.format(format, arguments));
    }

    static <T> T notNull(T value, String name) {
        if (value == null) {
            throw argument("%s: it is null", name);
        }
        return value;
    }

    static long notNegative(long value, String name) {
        if (value < 0) {
            throw argument("%s: %d is negative", name, value);
        }
        return value;
    }
}
