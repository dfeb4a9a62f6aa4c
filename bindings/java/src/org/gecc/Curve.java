// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** An elliptic curve. */
public enum Curve {
    /** Secp256k1. */
    SECP256K1(1),
    /** P-256. */
    P256(2),
    /** P-384. */
    P384(3),
    /** SM2. */
    SM2(4),
    /** P-521. */
    P521(5),
    /** BrainpoolP256r1. */
    BRAINPOOL_P256R1(6),
    /** BrainpoolP384r1. */
    BRAINPOOL_P384R1(7),
    /** BrainpoolP512r1. */
    BRAINPOOL_P512R1(8),
    /** Curve25519. */
    CURVE25519(16),
    ;

    private final int value;

    Curve(int value) {
        this.value = value;
    }

    /** The library's number for it. */
    public int value() {
        return value;
    }

    /** The name that people write. */
    public String text() {
        String text = Native.text(Native.CURVE, value);
        return text == null ? name() : text;
    }

    /** By any of its names that the library knows, in either case of letters; refused where none has it. */
    public static Curve named(String name) {
        int value = Native.named(Native.CURVE, Native.utf8(GeccException.notNull(name, "name")));
        for (Curve each : values()) {
            if (each.value == value) {
                return each;
            }
        }
        throw GeccException.argument("curve: none is called %s", name);
    }
}
