// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** What came of one row. */
public enum Status {
    /** Not processed. */
    NOT_PROCESSED(0),
    /** Valid, or computed. */
    OK(1),
    /** Well formed, but does not verify or has no result. */
    INVALID(2),
    /** The result is the point at infinity, which has no encoding of fixed width. */
    INFINITY(3),
    /** A row has a width that its column cannot have. */
    MALFORMED_WIDTH(16),
    /** A point's encoding starts with the wrong byte. */
    MALFORMED_POINT_ENCODING(17),
    /** A coordinate is not less than the field's prime. */
    MALFORMED_POINT_RANGE(18),
    /** A point is not on the curve. */
    MALFORMED_POINT_OFF_CURVE(19),
    /** A private key or nonce is not between 1 and the order less 1 (key of SM2: less 2). */
    MALFORMED_SCALAR(20),
    /** A signature is not strict DER, or its sighash byte is 0. */
    MALFORMED_SIGNATURE_ENCODING(21),
    /** R or s is out of range. */
    MALFORMED_SIGNATURE_RANGE(22),
    /** S is greater than half the order, and low s was asked for. */
    MALFORMED_HIGH_S(23),
    /** A recovery id is not 0, 1, 2 or 3, or Ethereum has no such v. */
    MALFORMED_RECOVERY_ID(24),
    /** A transaction is not well formed. */
    MALFORMED_TRANSACTION(25),
    /** There is no key of that number. */
    MALFORMED_KEY_NUMBER(26),
    /** A row names no curve or hash of the operation, or not the call's. */
    MALFORMED_SELECTOR(27),
    /** A text is not in hexadecimal, or in the encoding that was said. */
    MALFORMED_TEXT(28),
    /** A ciphertext is not strict DER. */
    MALFORMED_CIPHERTEXT(29),
    /** The row has no value. */
    NULL(255),
    /** What a later version of the library gives. */
    OTHER(-1),
    ;

    private final int value;

    Status(int value) {
        this.value = value;
    }

    /** The library's number for it. */
    public int value() {
        return value;
    }

    /** What it means, in English. */
    public String text() {
        String text = Native.text(Native.ITEM, value);
        return text == null ? name() : text;
    }

    private static final Status[] ALL = values();

    /** What the library's number means. */
    public static Status of(int value) {
        for (Status each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return OTHER;
    }

    /** Whether the row was refused: it is not well formed. */
    public boolean isMalformed() {
        return value >= MALFORMED_WIDTH.value;
    }
}
