// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** How points are written. */
public enum PointFormat {
    /** 04 || x || y, 1 + 2L bytes. */
    UNCOMPRESSED(0),
    /** 02 or 03 || x, 1 + L bytes. */
    COMPRESSED(1),
    /** X || y, 2L bytes. */
    RAW(2),
    ;

    private final int value;

    PointFormat(int value) {
        this.value = value;
    }

    /** The library's number for it. */
    public int value() {
        return value;
    }

    /** By any of its names that the library knows, in either case of letters; refused where none has it. */
    public static PointFormat named(String name) {
        int value = Native.named(Native.POINT_FORMAT, Native.utf8(GeccException.notNull(name, "name")));
        for (PointFormat each : values()) {
            if (each.value == value) {
                return each;
            }
        }
        throw GeccException.argument("point_format: none is called %s", name);
    }
}
