// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** A flag of an operation; the methods of typed calls are the same. */
public enum Flag {
    /** Signatures and ciphertexts, in and out, are strict DER instead of their parts in a row. */
    DER(1),
    /** Refuse s greater than half the order; of signatures made, make it low. */
    LOW_S(2),
    /** Leave s of signatures made on secp256k1 as it falls, instead of low. */
    ANY_S(4),
    /** The scalars are public: faster, and timing depends on them. */
    PUBLIC_SCALARS(8),
    /** Verify each signature in full before it is given. */
    VERIFY_SIGNATURES(16),
    /** Numbers, in and out, are little-endian. */
    LITTLE_ENDIAN(32),
    /** A byte that says what was hashed follows each signature. */
    SIGHASH_BYTE(64),
    /** Ed25519ph: messages are hashed before they are signed. */
    PREHASH(128),
    /** Accept Ed25519 keys as ref10, OpenSSL and Go do: y need not be below p. */
    ACCEPT_REF10(256),
    /** Refuse Ed25519 keys and R of small order, as libsodium does. */
    ACCEPT_STRICT(512),
    /** Accept what ZIP 215 does: keys and R in any encoding, times 8. */
    ACCEPT_ZIP215(1024),
    /** SM2 ciphertexts have their hash last, as before 2012, instead of in the middle. */
    C1C2C3(2048),
    /** SM2 key exchange: this side is the one that answers. */
    RESPONDER(4096),
    ;

    private final int value;

    Flag(int value) {
        this.value = value;
    }

    /** The library's number for it. */
    public int value() {
        return value;
    }

    /** The name that people write. */
    public String text() {
        String text = Native.text(Native.FLAG, value);
        return text == null ? name() : text;
    }

    /** By any of its names that the library knows, in either case of letters; refused where none has it. */
    public static Flag named(String name) {
        int value = Native.named(Native.FLAG, Native.utf8(GeccException.notNull(name, "name")));
        for (Flag each : values()) {
            if (each.value == value) {
                return each;
            }
        }
        throw GeccException.argument("flag: none is called %s", name);
    }
}
