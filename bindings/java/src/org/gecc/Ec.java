// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/**
 * Typed functions of the operations ec.
 * Inputs that are secret are the caller's to wipe, by Rows.wipe.
 */
public final class Ec {
    private Ec() {}

    /**
     * ec.validate: checks that a row encodes a point of the curve.
     *
     * @param curve the curve
     * @param point the encoding to check
     * @return the call, which run does
     */
    public static Validate validate(Curve curve, Rows point) {
        return new Validate(new Call(Operations.EC_VALIDATE).curve(curve).with(0, point));
    }

    /** A call of {@link #validate}. */
    public static final class Validate extends TypedCall<Statuses> {
        private Validate(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Validate littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, byte[] status) {
            call.runInto(context, status);
        }

        @Override
        Statuses result(Call.Result result) {
            return result.statuses();
        }
    }

    /**
     * ec.convert: writes a point in another encoding.
     *
     * @param curve the curve
     * @param point a point in any encoding
     * @return the call, which run does
     */
    public static Convert convert(Curve curve, Rows point) {
        return new Convert(new Call(Operations.EC_CONVERT).curve(curve).with(0, point));
    }

    /** A call of {@link #convert}. */
    public static final class Convert extends TypedCall<Convert.Result> {
        private Convert(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Convert littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** How points are written. */
        public Convert pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Convert.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The same point in the format asked for. */
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
     * ec.add: adds two points.
     *
     * @param curve the curve
     * @param a a point
     * @param b a point
     * @return the call, which run does
     */
    public static Add add(Curve curve, Rows a, Rows b) {
        return new Add(new Call(Operations.EC_ADD).curve(curve).with(0, a).with(1, b));
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

        /** How points are written. */
        public Add pointFormat(PointFormat format) {
            call.pointFormat(format);
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
            /** A + b. */
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
     * ec.double: doubles a point.
     *
     * @param curve the curve
     * @param point a point
     * @return the call, which run does
     */
    public static Double double_(Curve curve, Rows point) {
        return new Double(new Call(Operations.EC_DOUBLE).curve(curve).with(0, point));
    }

    /** A call of {@link #double_}. */
    public static final class Double extends TypedCall<Double.Result> {
        private Double(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Double littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** How points are written. */
        public Double pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Double.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** 2 * point. */
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
     * ec.public_key: computes the public key of a private key.
     *
     * @param curve the curve
     * @param privateKey the private key; secret
     * @return the call, which run does
     */
    public static PublicKey publicKey(Curve curve, Rows privateKey) {
        return new PublicKey(new Call(Operations.EC_PUBLIC_KEY).curve(curve).with(0, privateKey));
    }

    /** A call of {@link #publicKey}. */
    public static final class PublicKey extends TypedCall<PublicKey.Result> {
        private PublicKey(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public PublicKey littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** How points are written. */
        public PublicKey pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        PublicKey.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** Private_key * G. */
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
     * ec.mul_base: multiplies the generator by a scalar.
     *
     * @param curve the curve
     * @param k the scalar; secret
     * @return the call, which run does
     */
    public static MulBase mulBase(Curve curve, Rows k) {
        return new MulBase(new Call(Operations.EC_MUL_BASE).curve(curve).with(0, k));
    }

    /** A call of {@link #mulBase}. */
    public static final class MulBase extends TypedCall<MulBase.Result> {
        private MulBase(Call call) {
            super(call);
        }

        /** The scalars are public: faster, and timing depends on them. */
        public MulBase publicScalars() {
            call.flag(Flag.PUBLIC_SCALARS);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public MulBase littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** How points are written. */
        public MulBase pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        MulBase.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** K * G. */
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
     * ec.mul: multiplies a point by a scalar.
     *
     * @param curve the curve
     * @param k the scalar; secret
     * @param point the point
     * @return the call, which run does
     */
    public static Mul mul(Curve curve, Rows k, Rows point) {
        return new Mul(new Call(Operations.EC_MUL).curve(curve).with(0, k).with(1, point));
    }

    /** A call of {@link #mul}. */
    public static final class Mul extends TypedCall<Mul.Result> {
        private Mul(Call call) {
            super(call);
        }

        /** The scalars are public: faster, and timing depends on them. */
        public Mul publicScalars() {
            call.flag(Flag.PUBLIC_SCALARS);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public Mul littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** How points are written. */
        public Mul pointFormat(PointFormat format) {
            call.pointFormat(format);
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
            /** K * point. */
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
     * ec.mul_add: adds a multiple of the generator and one of a point.
     *
     * @param curve the curve
     * @param u the scalar of G; secret
     * @param v the scalar of the point; secret
     * @param point the point
     * @return the call, which run does
     */
    public static MulAdd mulAdd(Curve curve, Rows u, Rows v, Rows point) {
        return new MulAdd(new Call(Operations.EC_MUL_ADD).curve(curve).with(0, u).with(1, v).with(2, point));
    }

    /** A call of {@link #mulAdd}. */
    public static final class MulAdd extends TypedCall<MulAdd.Result> {
        private MulAdd(Call call) {
            super(call);
        }

        /** The scalars are public: faster, and timing depends on them. */
        public MulAdd publicScalars() {
            call.flag(Flag.PUBLIC_SCALARS);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public MulAdd littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** How points are written. */
        public MulAdd pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        MulAdd.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** U * G + v * point. */
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
     * ec.mul_add_keys: adds a multiple of the generator and one of a prepared key.
     *
     * @param keys the set whose numbers are in the column
     * @param u the scalar of G
     * @param v the scalar of the key
     * @param key the key
     * @return the call, which run does
     */
    public static MulAddKeys mulAddKeys(Keys keys, Rows u, Rows v, Rows key) {
        return new MulAddKeys(new Call(Operations.EC_MUL_ADD_KEYS).keys(keys).with(0, u).with(1, v).with(2, key));
    }

    /** A call of {@link #mulAddKeys}. */
    public static final class MulAddKeys extends TypedCall<MulAddKeys.Result> {
        private MulAddKeys(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public MulAddKeys littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** How points are written. */
        public MulAddKeys pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        MulAddKeys.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** U * G + v * key. */
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
     * ec.msm: sums multiples of points (multi-scalar multiplication).
     *
     * @param curve the curve
     * @param k the scalars of a group
     * @param point the points of a group, one for each scalar
     * @return the call, which run does
     */
    public static Msm msm(Curve curve, Rows k, Rows point) {
        return new Msm(new Call(Operations.EC_MSM).curve(curve).with(0, k).with(1, point));
    }

    /** A call of {@link #msm}. */
    public static final class Msm extends TypedCall<Msm.Result> {
        private Msm(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Msm littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** How points are written. */
        public Msm pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out out, byte[] status) {
            call.runInto(context, status, out);
        }

        @Override
        Msm.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The sum of k[i] * point[i] over the group. */
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
