package org.gecc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Public keys with tables of their own, which come back: calls name them by number, four bytes a row, the lowest first.
 * Any number of threads may use one set. After {@link #close} calls on it are refused.
 */
public final class Keys implements AutoCloseable {
    private final AtomicLong handle;
    private final Statuses statuses;

    private Keys(long handle, Statuses statuses) {
        this.handle = new AtomicLong(handle);
        this.statuses = statuses;
    }

    /** Check keys and make their tables: that of row i has number i. */
    public static Keys open(Context context, Curve curve, Rows publicKeys) {
        return open(context, curve, publicKeys, new KeysConfig());
    }

    /** The same, as the caller chooses. */
    public static Keys open(Context context, Curve curve, Rows publicKeys, KeysConfig config) {
        Rows rows = GeccException.notNull(publicKeys, "publicKeys");
        byte[] status = new byte[rows.size()];
        long[] numbers = numbers(rows, GeccException.notNull(config, "config").numbers);
        long opened = Native.keysOpen(
                GeccException.notNull(context, "context").handle(), GeccException.notNull(curve, "curve").value(),
                numbers, rows.data, rows.widths, rows.offsets, status);
        return new Keys(opened, new Statuses(status));
    }

    private static long[] numbers(Rows rows, long[] config) {
        return new long[] {
            rows.offset, rows.stride, rows.width, rows.size(), config[0], config[1], config[2], config[3]
        };
    }

    /** Which of the keys that the set was opened with were refused, and why. */
    public Statuses statuses() {
        return statuses;
    }

    /** More keys, for which the configuration left room. */
    public Added add(Rows publicKeys) {
        Rows rows = GeccException.notNull(publicKeys, "publicKeys");
        byte[] status = new byte[rows.size()];
        long first = Native.keysAdd(handle(), numbers(rows, new long[4]), rows.data, rows.widths, rows.offsets, status);
        return new Added(first, new Statuses(status));
    }

    long handle() {
        long open = handle.get();
        if (open == 0) {
            throw GeccException.argument("keys: the set is closed");
        }
        return open;
    }

    /** Refuse calls on it from now on; its tables go when the last call and job that uses them is through. */
    @Override
    public void close() {
        long open = handle.getAndSet(0);
        if (open != 0) {
            Native.close(open);
        }
    }

    /** Keys that were added. */
    public static final class Added {
        /** The number of the first; the others follow it. */
        public final long first;
        /** Which were refused, and why. */
        public final Statuses statuses;

        private Added(long first, Statuses statuses) {
            this.first = first;
            this.statuses = statuses;
        }
    }
}
