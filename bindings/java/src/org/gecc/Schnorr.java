// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/**
 * Typed functions of the operations schnorr.
 * Inputs that are secret are the caller's to wipe, by Rows.wipe.
 */
public final class Schnorr {
    private Schnorr() {}

    /**
     * schnorr.public_key: computes the x-only public key of a private key.
     *
     * @param privateKey the private key; secret
     * @return the call, which run does
     */
    public static PublicKey publicKey(Rows privateKey) {
        return new PublicKey(new Call(Operations.SCHNORR_PUBLIC_KEY).with(0, privateKey));
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

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out publicKey, byte[] status) {
            call.runInto(context, status, publicKey);
        }

        @Override
        PublicKey.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** X of private_key * G. */
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
     * schnorr.sign: signs a message with BIP-340's Schnorr signature.
     *
     * @param privateKey the private key; secret
     * @param message what is signed
     * @return the call, which run does
     */
    public static Sign sign(Rows privateKey, Rows message) {
        return new Sign(new Call(Operations.SCHNORR_SIGN).with(0, privateKey).with(1, message));
    }

    /** A call of {@link #sign}. */
    public static final class Sign extends TypedCall<Sign.Result> {
        private Sign(Call call) {
            super(call);
        }

        /** More input to the nonce; secret. */
        public Sign auxiliary(Rows rows) {
            call.with(2, rows);
            return this;
        }

        /** Verify each signature in full before it is given. */
        public Sign verifySignatures() {
            call.flag(Flag.VERIFY_SIGNATURES);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public Sign littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out signature, byte[] status) {
            call.runInto(context, status, signature);
        }

        @Override
        Sign.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The signature. */
            public final Column signature;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                signature = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * schnorr.verify: checks a Schnorr signature of BIP-340.
     *
     * @param publicKey the signer's public key
     * @param message what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static Verify verify(Rows publicKey, Rows message, Rows signature) {
        return new Verify(new Call(Operations.SCHNORR_VERIFY).with(0, publicKey).with(1, message).with(2, signature));
    }

    /** A call of {@link #verify}. */
    public static final class Verify extends TypedCall<Statuses> {
        private Verify(Call call) {
            super(call);
        }

        /** A byte that says what was hashed follows each signature. */
        public Verify sighashByte() {
            call.flag(Flag.SIGHASH_BYTE);
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
     * schnorr.verify_keys: checks a Schnorr signature of a prepared key.
     *
     * @param keys the set whose numbers are in the column
     * @param key the signer's public key
     * @param message what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static VerifyKeys verifyKeys(Keys keys, Rows key, Rows message, Rows signature) {
        return new VerifyKeys(new Call(Operations.SCHNORR_VERIFY_KEYS).keys(keys).with(0, key).with(1, message).with(2, signature));
    }

    /** A call of {@link #verifyKeys}. */
    public static final class VerifyKeys extends TypedCall<Statuses> {
        private VerifyKeys(Call call) {
            super(call);
        }

        /** A byte that says what was hashed follows each signature. */
        public VerifyKeys sighashByte() {
            call.flag(Flag.SIGHASH_BYTE);
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
     * schnorr.tweak_public_key: computes Taproot's output key from an internal key (BIP-341).
     *
     * @param publicKey the internal key
     * @return the call, which run does
     */
    public static TweakPublicKey tweakPublicKey(Rows publicKey) {
        return new TweakPublicKey(new Call(Operations.SCHNORR_TWEAK_PUBLIC_KEY).with(0, publicKey));
    }

    /** A call of {@link #tweakPublicKey}. */
    public static final class TweakPublicKey extends TypedCall<TweakPublicKey.Result> {
        private TweakPublicKey(Call call) {
            super(call);
        }

        /** What else it commits to. */
        public TweakPublicKey merkleRoot(Rows rows) {
            call.with(1, rows);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out tweaked, Out parity, byte[] status) {
            call.runInto(context, status, tweaked, parity);
        }

        @Override
        TweakPublicKey.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The output key. */
            public final Column tweaked;
            /** The parity of its y. */
            public final Column parity;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                tweaked = result.columns().get(0);
                parity = result.columns().get(1);
                statuses = result.statuses();
            }
        }
    }

    /**
     * schnorr.tweak_private_key: computes the private key of Taproot's output key (BIP-341).
     *
     * @param privateKey the private key of the internal key; secret
     * @return the call, which run does
     */
    public static TweakPrivateKey tweakPrivateKey(Rows privateKey) {
        return new TweakPrivateKey(new Call(Operations.SCHNORR_TWEAK_PRIVATE_KEY).with(0, privateKey));
    }

    /** A call of {@link #tweakPrivateKey}. */
    public static final class TweakPrivateKey extends TypedCall<TweakPrivateKey.Result> {
        private TweakPrivateKey(Call call) {
            super(call);
        }

        /** What else the output key commits to. */
        public TweakPrivateKey merkleRoot(Rows rows) {
            call.with(1, rows);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public TweakPrivateKey littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out tweaked, byte[] status) {
            call.runInto(context, status, tweaked);
        }

        @Override
        TweakPrivateKey.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The private key of the output key; secret. */
            public final Column tweaked;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                tweaked = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }
}
