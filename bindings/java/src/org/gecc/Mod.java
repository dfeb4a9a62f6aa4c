// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/**
 * Typed functions of the operations mod.
 * Inputs that are secret are the caller's to wipe, by Rows.wipe.
 */
public final class Mod {
    private Mod() {}

    /**
     * mod.add: adds modulo an odd number.
     *
     * @param modulus what arithmetic is modulo, big-endian
     * @param a a number; secret
     * @param b a number; secret
     * @return the call, which run does
     */
    public static Add add(byte[] modulus, Rows a, Rows b) {
        return new Add(new Call(Operations.MOD_ADD).modulus(modulus).with(0, a).with(1, b));
    }

    /** A call of {@link #add}. */
    public static final class Add extends TypedCall<Add.Result> {
        private Add(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Add littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Add.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** A + b; secret. */
            public final Column out;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                out = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * mod.sub: subtracts modulo an odd number.
     *
     * @param modulus what arithmetic is modulo, big-endian
     * @param a a number; secret
     * @param b a number; secret
     * @return the call, which run does
     */
    public static Sub sub(byte[] modulus, Rows a, Rows b) {
        return new Sub(new Call(Operations.MOD_SUB).modulus(modulus).with(0, a).with(1, b));
    }

    /** A call of {@link #sub}. */
    public static final class Sub extends TypedCall<Sub.Result> {
        private Sub(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Sub littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Sub.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** A - b; secret. */
            public final Column out;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                out = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * mod.mul: multiplies modulo an odd number.
     *
     * @param modulus what arithmetic is modulo, big-endian
     * @param a a number; secret
     * @param b a number; secret
     * @return the call, which run does
     */
    public static Mul mul(byte[] modulus, Rows a, Rows b) {
        return new Mul(new Call(Operations.MOD_MUL).modulus(modulus).with(0, a).with(1, b));
    }

    /** A call of {@link #mul}. */
    public static final class Mul extends TypedCall<Mul.Result> {
        private Mul(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Mul littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Mul.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** A * b; secret. */
            public final Column out;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                out = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * mod.square: squares modulo an odd number.
     *
     * @param modulus what arithmetic is modulo, big-endian
     * @param a a number; secret
     * @return the call, which run does
     */
    public static Square square(byte[] modulus, Rows a) {
        return new Square(new Call(Operations.MOD_SQUARE).modulus(modulus).with(0, a));
    }

    /** A call of {@link #square}. */
    public static final class Square extends TypedCall<Square.Result> {
        private Square(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Square littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Square.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** A^2; secret. */
            public final Column out;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                out = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * mod.inverse: inverts modulo an odd number.
     *
     * @param modulus what arithmetic is modulo, big-endian
     * @param a a number; secret
     * @return the call, which run does
     */
    public static Inverse inverse(byte[] modulus, Rows a) {
        return new Inverse(new Call(Operations.MOD_INVERSE).modulus(modulus).with(0, a));
    }

    /** A call of {@link #inverse}. */
    public static final class Inverse extends TypedCall<Inverse.Result> {
        private Inverse(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Inverse littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Inverse.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** A^-1; secret. */
            public final Column out;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                out = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * mod.power: raises to a power modulo an odd number.
     *
     * @param modulus what arithmetic is modulo, big-endian
     * @param a a number; secret
     * @param exponent the exponent; secret
     * @return the call, which run does
     */
    public static Power power(byte[] modulus, Rows a, Rows exponent) {
        return new Power(new Call(Operations.MOD_POWER).modulus(modulus).with(0, a).with(1, exponent));
    }

    /** A call of {@link #power}. */
    public static final class Power extends TypedCall<Power.Result> {
        private Power(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Power littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Power.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** A^exponent; secret. */
            public final Column out;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                out = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }
}
