// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** A hash. */
public enum Hash {
    /** SHA256. */
    SHA256(1),
    /** SHA384. */
    SHA384(2),
    /** SHA512. */
    SHA512(3),
    /** SM3. */
    SM3(4),
    /** KECCAK256. */
    KECCAK256(5),
    ;

    private final int value;

    Hash(int value) {
        this.value = value;
    }

    /** The library's number for it. */
    public int value() {
        return value;
    }

    /** The name that people write. */
    public String text() {
        String text = Native.text(Native.HASH, value);
        return text == null ? name() : text;
    }

    /** By any of its names that the library knows, in either case of letters; refused where none has it. */
    public static Hash named(String name) {
        int value = Native.named(Native.HASH, Native.utf8(GeccException.notNull(name, "name")));
        for (Hash each : values()) {
            if (each.value == value) {
                return each;
            }
        }
        throw GeccException.argument("hash: none is called %s", name);
    }
}
