// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/**
 * Typed functions of the operations ecdsa.
 * Inputs that are secret are the caller's to wipe, by Rows.wipe.
 */
public final class Ecdsa {
    private Ecdsa() {}

    /**
     * ecdsa.sign: signs a digest with ECDSA and a deterministic nonce.
     *
     * @param curve the curve
     * @param privateKey the private key; secret
     * @param digest what is signed
     * @return the call, which run does
     */
    public static Sign sign(Curve curve, Rows privateKey, Rows digest) {
        return new Sign(new Call(Operations.ECDSA_SIGN).curve(curve).with(0, privateKey).with(1, digest));
    }

    /** A call of {@link #sign}. */
    public static final class Sign extends TypedCall<Sign.Result> {
        private Sign(Call call) {
            super(call);
        }

        /** More input to the nonce; secret. */
        public Sign entropy(Rows rows) {
            call.with(2, rows);
            return this;
        }

        /** Signatures and ciphertexts, in and out, are strict DER instead of their parts in a row. */
        public Sign der() {
            call.flag(Flag.DER);
            return this;
        }

        /** Refuse s greater than half the order; of signatures made, make it low. */
        public Sign lowS() {
            call.flag(Flag.LOW_S);
            return this;
        }

        /** Leave s of signatures made on secp256k1 as it falls, instead of low. */
        public Sign anyS() {
            call.flag(Flag.ANY_S);
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

        /** The hash of which HMAC makes nonces (RFC 6979). */
        public Sign nonceHash(Hash hash) {
            call.nonceHash(hash);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out signature, Out recoveryId, byte[] status) {
            call.runInto(context, status, signature, recoveryId);
        }

        @Override
        Sign.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The signature. */
            public final Column signature;
            /** Which R it was. */
            public final Column recoveryId;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                signature = result.columns().get(0);
                recoveryId = result.columns().get(1);
                statuses = result.statuses();
            }
        }
    }

    /**
     * ecdsa.sign_with_dangerous_nonce: signs a digest with ECDSA and the caller's nonce.
     *
     * @param curve the curve
     * @param privateKey the private key; secret
     * @param digest what is signed
     * @param nonce the nonce, which must never repeat; secret
     * @return the call, which run does
     */
    public static SignWithDangerousNonce signWithDangerousNonce(Curve curve, Rows privateKey, Rows digest, Rows nonce) {
        return new SignWithDangerousNonce(new Call(Operations.ECDSA_SIGN_WITH_DANGEROUS_NONCE).curve(curve).with(0, privateKey).with(1, digest).with(2, nonce));
    }

    /** A call of {@link #signWithDangerousNonce}. */
    public static final class SignWithDangerousNonce extends TypedCall<SignWithDangerousNonce.Result> {
        private SignWithDangerousNonce(Call call) {
            super(call);
        }

        /** Signatures and ciphertexts, in and out, are strict DER instead of their parts in a row. */
        public SignWithDangerousNonce der() {
            call.flag(Flag.DER);
            return this;
        }

        /** Refuse s greater than half the order; of signatures made, make it low. */
        public SignWithDangerousNonce lowS() {
            call.flag(Flag.LOW_S);
            return this;
        }

        /** Leave s of signatures made on secp256k1 as it falls, instead of low. */
        public SignWithDangerousNonce anyS() {
            call.flag(Flag.ANY_S);
            return this;
        }

        /** Verify each signature in full before it is given. */
        public SignWithDangerousNonce verifySignatures() {
            call.flag(Flag.VERIFY_SIGNATURES);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public SignWithDangerousNonce littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out signature, Out recoveryId, byte[] status) {
            call.runInto(context, status, signature, recoveryId);
        }

        @Override
        SignWithDangerousNonce.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The signature. */
            public final Column signature;
            /** Which R it was. */
            public final Column recoveryId;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                signature = result.columns().get(0);
                recoveryId = result.columns().get(1);
                statuses = result.statuses();
            }
        }
    }

    /**
     * ecdsa.verify: checks an ECDSA signature.
     *
     * @param curve the curve
     * @param publicKey the signer's public key
     * @param digest what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static Verify verify(Curve curve, Rows publicKey, Rows digest, Rows signature) {
        return new Verify(new Call(Operations.ECDSA_VERIFY).curve(curve).with(0, publicKey).with(1, digest).with(2, signature));
    }

    /** A call of {@link #verify}. */
    public static final class Verify extends TypedCall<Statuses> {
        private Verify(Call call) {
            super(call);
        }

        /** Signatures and ciphertexts, in and out, are strict DER instead of their parts in a row. */
        public Verify der() {
            call.flag(Flag.DER);
            return this;
        }

        /** Refuse s greater than half the order; of signatures made, make it low. */
        public Verify lowS() {
            call.flag(Flag.LOW_S);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public Verify littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
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
     * ecdsa.verify_keys: checks an ECDSA signature of a prepared key.
     *
     * @param keys the set whose numbers are in the column
     * @param key the signer's public key
     * @param digest what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static VerifyKeys verifyKeys(Keys keys, Rows key, Rows digest, Rows signature) {
        return new VerifyKeys(new Call(Operations.ECDSA_VERIFY_KEYS).keys(keys).with(0, key).with(1, digest).with(2, signature));
    }

    /** A call of {@link #verifyKeys}. */
    public static final class VerifyKeys extends TypedCall<Statuses> {
        private VerifyKeys(Call call) {
            super(call);
        }

        /** Signatures and ciphertexts, in and out, are strict DER instead of their parts in a row. */
        public VerifyKeys der() {
            call.flag(Flag.DER);
            return this;
        }

        /** Refuse s greater than half the order; of signatures made, make it low. */
        public VerifyKeys lowS() {
            call.flag(Flag.LOW_S);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public VerifyKeys littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
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
     * ecdsa.recover: finds the public key that made an ECDSA signature.
     *
     * @param curve the curve
     * @param digest what was signed
     * @param signature the signature
     * @param recoveryId which R it was
     * @return the call, which run does
     */
    public static Recover recover(Curve curve, Rows digest, Rows signature, Rows recoveryId) {
        return new Recover(new Call(Operations.ECDSA_RECOVER).curve(curve).with(0, digest).with(1, signature).with(2, recoveryId));
    }

    /** A call of {@link #recover}. */
    public static final class Recover extends TypedCall<Recover.Result> {
        private Recover(Call call) {
            super(call);
        }

        /** Signatures and ciphertexts, in and out, are strict DER instead of their parts in a row. */
        public Recover der() {
            call.flag(Flag.DER);
            return this;
        }

        /** Refuse s greater than half the order; of signatures made, make it low. */
        public Recover lowS() {
            call.flag(Flag.LOW_S);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public Recover littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** A byte that says what was hashed follows each signature. */
        public Recover sighashByte() {
            call.flag(Flag.SIGHASH_BYTE);
            return this;
        }

        /** How points are written. */
        public Recover pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out publicKey, byte[] status) {
            call.runInto(context, status, publicKey);
        }

        @Override
        Recover.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The signer's public key. */
            public final Column publicKey;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                publicKey = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }
}
