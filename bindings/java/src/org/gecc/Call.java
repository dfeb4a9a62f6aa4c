package org.gecc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A call of an operation by its name, for programs that learn at run time what to call; typed functions, as {@link
 * Ecdsa#verify}, say the same in types. A call may be run any number of times, and changed by one thread at a time.
 */
public final class Call {
    final Operation operation;
    private final Rows[] inputs;
    private int curve;
    private int hash;
    private int flags;
    private int nonceHash;
    private int pointFormat;
    private int outputBytes;
    private byte[] modulus;
    private Keys keys;

    Call(Operation operation) {
        this.operation = operation;
        inputs = new Rows[operation.inputs.length];
    }

    /** A call of {@code "ecdsa.verify"}, say. */
    public static Call named(String name) {
        for (Operation operation : Operations.ALL) {
            if (operation.name.equals(name)) {
                return new Call(operation);
            }
        }
        throw GeccException.argument("operation: none is called %s", name);
    }

    /** The curve, where the operation has several. */
    public Call curve(Curve chosen) {
        curve = GeccException.notNull(chosen, "curve").value();
        return this;
    }

    /** The hash, of {@code digest}. */
    public Call hash(Hash chosen) {
        hash = GeccException.notNull(chosen, "hash").value();
        return this;
    }

    /** What arithmetic is modulo: big-endian. */
    public Call modulus(byte[] bytes) {
        modulus = GeccException.notNull(bytes, "modulus").clone();
        return this;
    }

    /** The keys whose numbers are in a column. */
    public Call keys(Keys set) {
        keys = GeccException.notNull(set, "keys");
        return this;
    }

    /** An input column. */
    public Call column(String name, Rows rows) {
        for (int i = 0; i < inputs.length; i++) {
            if (operation.inputs[i].equals(name)) {
                return with(i, rows);
            }
        }
        throw GeccException.argument("%s: %s has no such column", name, operation.name);
    }

    Call with(int index, Rows rows) {
        inputs[index] = rows;
        return this;
    }

    /** Set a flag. One that means nothing to the operation makes the call refused. */
    public Call flag(Flag flag) {
        flags |= GeccException.notNull(flag, "flag").value();
        return this;
    }

    /** The hash of which HMAC makes nonces. */
    public Call nonceHash(Hash chosen) {
        nonceHash = GeccException.notNull(chosen, "nonce_hash").value();
        return this;
    }

    /** How points are written. */
    public Call pointFormat(PointFormat format) {
        pointFormat = GeccException.notNull(format, "point_format").value();
        return this;
    }

    /** How many bytes each derived key has, or a ciphertext or plaintext at most. */
    public Call outputBytes(int bytes) {
        if (bytes < 0) {
            throw GeccException.argument("output_bytes: %d", bytes);
        }
        outputBytes = bytes;
        return this;
    }

    /** How many rows the columns have; 1 where all are one value for any number. */
    private int count() {
        int first = -1;
        for (int i = 0; i < inputs.length; i++) {
            Rows rows = inputs[i];
            if (rows == null) {
                if (!operation.isOptional[i]) {
                    throw GeccException.argument("%s is missing", operation.inputs[i]);
                }
            } else if (!rows.isAny()) {
                if (first >= 0 && inputs[first].size() != rows.size()) {
                    throw GeccException.argument("%s: %d rows, where %s has %d",
                            operation.inputs[i], rows.size(), operation.inputs[first], inputs[first].size());
                }
                first = first < 0 ? i : first;
            }
        }
        return first < 0 ? 1 : inputs[first].size();
    }

    /** As gecc_jni.c takes them: CALL_ and ROWS_, then for each output OUT_. */
    private long[] numbers(int count, Out[] outs) {
        long[] numbers = new long[7 + 3 * inputs.length + (outs == null ? 0 : 2 * outs.length)];
        numbers[0] = curve;
        numbers[1] = hash;
        numbers[2] = flags;
        numbers[3] = nonceHash;
        numbers[4] = pointFormat;
        numbers[5] = outputBytes;
        numbers[6] = count;
        int next = 7;
        for (Rows rows : inputs) {
            if (rows != null) {
                numbers[next] = rows.offset;
                numbers[next + 1] = rows.stride;
                numbers[next + 2] = rows.width;
            }
            next += 3;
        }
        if (outs != null) {
            for (Out out : outs) {
                if (out != null) {
                    numbers[next] = out.offset;
                    numbers[next + 1] = out.stride;
                }
                next += 2;
            }
        }
        return numbers;
    }

    /** As C takes them: data, widths and offsets, the latter two null where rows of no column are uneven. */
    private Object[][] columns() {
        boolean isUneven = false;
        for (Rows rows : inputs) {
            isUneven |= rows != null && (rows.widths != null || rows.offsets != null);
        }
        int n = inputs.length;
        Object[][] columns = {new Object[n], isUneven ? new int[n][] : null, isUneven ? new long[n][] : null};
        for (int i = 0; i < n; i++) {
            columns[0][i] = inputs[i] == null ? null : inputs[i].data;
            if (isUneven && inputs[i] != null) {
                columns[1][i] = inputs[i].widths;
                columns[2][i] = inputs[i].offsets;
            }
        }
        return columns;
    }

    private long keysHandle() {
        return keys == null ? 0 : keys.handle();
    }

    private Object[] run(Context context, int count, Out[] outs, Object[] outData, int[][] outWidths, byte[] status) {
        Object[][] columns = columns();
        return Native.run(
                GeccException.notNull(context, "context").handle(), keysHandle(), operation.number(),
                numbers(count, outs), modulus, columns[0], (int[][]) columns[1], (long[][]) columns[2],
                outData, outWidths, status);
    }

    /** Run it, for as many rows as its columns have, with results in new memory. */
    public Result run(Context context) {
        int count = count();
        return new Result(run(context, count, null, null, null, null), count);
    }

    /**
     * Run it into the caller's memory: one byte a row of {@code status}, of which {@link Status#of} tells the meaning,
     * and for each output of the operation where it is to go; null: it is left out.
     */
    public void runInto(Context context, byte[] status, Out... outs) {
        int count = count();
        if (GeccException.notNull(status, "status").length != count) {
            throw GeccException.argument("status: %d bytes, where there are %d rows", status.length, count);
        }
        if (GeccException.notNull(outs, "outs").length != operation.outputs.length) {
            throw GeccException.argument("%s: %d outputs, not %d", operation.name, operation.outputs.length,
                    outs.length);
        }
        Object[] data = new Object[outs.length];
        int[][] widths = new int[outs.length][];
        for (int i = 0; i < outs.length; i++) {
            data[i] = outs[i] == null ? null : outs[i].data;
            widths[i] = outs[i] == null ? null : outs[i].widths;
        }
        run(context, count, outs, data, widths, status);
    }

    /**
     * Have it run while this thread goes on. Rows in arrays are copied now; direct buffers are used as they lie, and
     * are kept until it is done. Jobs of a context complete in the order in which they were submitted; to cancel one,
     * or to forget it, stops nothing and leaks nothing.
     */
    public CompletableFuture<Result> submit(Context context) {
        int count = count();
        long open = GeccException.notNull(context, "context").handle();
        Object[][] columns = columns();
        long[] job = new long[1];
        CompletableFuture<Result> future = new CompletableFuture<>();
        Runnable wait = () -> {
            try {
                future.complete(new Result(Native.await(job[0], columns[0]), count));
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        };
        job[0] = Native.submit(
                open, keysHandle(), operation.number(), numbers(count, null), modulus,
                columns[0], (int[][]) columns[1], (long[][]) columns[2]);
        try {
            context.waiter.execute(wait);
        } catch (Throwable e) { // no thread can be had: the job has to end before its buffers go
            wait.run();
        }
        return future;
    }

    /** The operation and the shapes of its columns: rows may be secret. */
    @Override
    public String toString() {
        return operation.name + java.util.Arrays.toString(inputs);
    }

    /** What a call gave. */
    public static final class Result {
        private final List<Column> columns = new ArrayList<>(2);
        private final Statuses statuses;

        private Result(Object[] given, int count) {
            statuses = new Statuses((byte[]) given[0]);
            for (int i = 1; i < given.length; i += 2) {
                columns.add(new Column((byte[]) given[i], (int[]) given[i + 1], count));
            }
        }

        /** Its outputs, in their order. */
        public List<Column> columns() {
            return Collections.unmodifiableList(columns);
        }

        /** What came of each row. */
        public Statuses statuses() {
            return statuses;
        }
    }
}
