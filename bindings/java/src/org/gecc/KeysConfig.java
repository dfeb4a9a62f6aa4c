// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** How keys are prepared; what is not said is as gecc chooses. */
public final class KeysConfig {
    final long[] numbers = new long[4];

    /** That are expected of each key, over the life of the set; 0: some hundred. */
    public KeysConfig rows(long rows) {
        numbers[0] = GeccException.notNegative(rows, "rows");
        return this;
    }

    /** Bytes that tables may take; 0: the default. Where it is not enough windows are narrower. */
    public KeysConfig memory(long memory) {
        numbers[1] = GeccException.notNegative(memory, "memory");
        return this;
    }

    /** Bits of a window, 4 to 16; 0: as many as take the least time for those rows. */
    public KeysConfig window(long window) {
        numbers[2] = GeccException.notNegative(window, "window");
        return this;
    }

    /** Keys that there is to be room for; 0, or fewer than are given: for no others. */
    public KeysConfig capacity(long capacity) {
        numbers[3] = GeccException.notNegative(capacity, "capacity");
        return this;
    }
}
