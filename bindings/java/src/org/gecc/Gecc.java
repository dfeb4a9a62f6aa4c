// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/**
 * Typed functions of operations without a family.
 * Inputs that are secret are the caller's to wipe, by Rows.wipe.
 */
public final class Gecc {
    private Gecc() {}

    /**
     * ecdh: computes a shared secret.
     *
     * @param curve the curve
     * @param privateKey one side's private key; secret
     * @param peer the other side's public key
     * @return the call, which run does
     */
    public static Ecdh ecdh(Curve curve, Rows privateKey, Rows peer) {
        return new Ecdh(new Call(Operations.ECDH).curve(curve).with(0, privateKey).with(1, peer));
    }

    /** A call of {@link #ecdh}. */
    public static final class Ecdh extends TypedCall<Ecdh.Result> {
        private Ecdh(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Ecdh littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out shared, byte[] status) {
            call.runInto(context, status, shared);
        }

        @Override
        Ecdh.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** X of private_key * peer; secret. */
            public final Column shared;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                shared = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * x25519_public_key: computes the X25519 public key of a private key.
     *
     * @param privateKey the private key; secret
     * @return the call, which run does
     */
    public static X25519PublicKey x25519PublicKey(Rows privateKey) {
        return new X25519PublicKey(new Call(Operations.X25519_PUBLIC_KEY).with(0, privateKey));
    }

    /** A call of {@link #x25519PublicKey}. */
    public static final class X25519PublicKey extends TypedCall<X25519PublicKey.Result> {
        private X25519PublicKey(Call call) {
            super(call);
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out publicKey, byte[] status) {
            call.runInto(context, status, publicKey);
        }

        @Override
        X25519PublicKey.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The public key. */
            public final Column publicKey;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                publicKey = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * x25519: computes a shared secret with X25519.
     *
     * @param privateKey one side's private key; secret
     * @param peer the other side's public key
     * @return the call, which run does
     */
    public static X25519 x25519(Rows privateKey, Rows peer) {
        return new X25519(new Call(Operations.X25519).with(0, privateKey).with(1, peer));
    }

    /** A call of {@link #x25519}. */
    public static final class X25519 extends TypedCall<X25519.Result> {
        private X25519(Call call) {
            super(call);
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out shared, byte[] status) {
            call.runInto(context, status, shared);
        }

        @Override
        X25519.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** U of private_key * peer; secret. */
            public final Column shared;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                shared = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * digest: hashes a message.
     *
     * @param hash the hash
     * @param message the message
     * @return the call, which run does
     */
    public static Digest digest(Hash hash, Rows message) {
        return new Digest(new Call(Operations.DIGEST).hash(hash).with(0, message));
    }

    /** A call of {@link #digest}. */
    public static final class Digest extends TypedCall<Digest.Result> {
        private Digest(Call call) {
            super(call);
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out digest, byte[] status) {
            call.runInto(context, status, digest);
        }

        @Override
        Digest.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** Its hash. */
            public final Column digest;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                digest = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }
}
