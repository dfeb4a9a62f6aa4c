// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/**
 * Typed functions of the operations sm2.
 * Inputs that are secret are the caller's to wipe, by Rows.wipe.
 */
public final class Sm2 {
    private Sm2() {}

    /**
     * sm2.digest: computes the digest that SM2 signs.
     *
     * @param publicKey the signer's public key
     * @param message the message
     * @return the call, which run does
     */
    public static Digest digest(Rows publicKey, Rows message) {
        return new Digest(new Call(Operations.SM2_DIGEST).with(0, publicKey).with(2, message));
    }

    /** A call of {@link #digest}. */
    public static final class Digest extends TypedCall<Digest.Result> {
        private Digest(Call call) {
            super(call);
        }

        /** The signer's id. */
        public Digest id(Rows rows) {
            call.with(1, rows);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public Digest littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out e, byte[] status) {
            call.runInto(context, status, e);
        }

        @Override
        Digest.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** What SM2 signs. */
            public final Column e;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                e = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * sm2.sign: signs a digest with SM2 and a deterministic nonce.
     *
     * @param privateKey the private key; secret
     * @param e what is signed
     * @return the call, which run does
     */
    public static Sign sign(Rows privateKey, Rows e) {
        return new Sign(new Call(Operations.SM2_SIGN).with(0, privateKey).with(1, e));
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
     * sm2.sign_with_dangerous_nonce: signs a digest with SM2 and the caller's nonce.
     *
     * @param privateKey the private key; secret
     * @param e what is signed
     * @param nonce the nonce, which must never repeat; secret
     * @return the call, which run does
     */
    public static SignWithDangerousNonce signWithDangerousNonce(Rows privateKey, Rows e, Rows nonce) {
        return new SignWithDangerousNonce(new Call(Operations.SM2_SIGN_WITH_DANGEROUS_NONCE).with(0, privateKey).with(1, e).with(2, nonce));
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
        public void runInto(Context context, Out signature, byte[] status) {
            call.runInto(context, status, signature);
        }

        @Override
        SignWithDangerousNonce.Result result(Call.Result result) {
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
     * sm2.verify: checks an SM2 signature.
     *
     * @param publicKey the signer's public key
     * @param e what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static Verify verify(Rows publicKey, Rows e, Rows signature) {
        return new Verify(new Call(Operations.SM2_VERIFY).with(0, publicKey).with(1, e).with(2, signature));
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

        /** Numbers, in and out, are little-endian. */
        public Verify littleEndian() {
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
     * sm2.verify_keys: checks an SM2 signature of a prepared key.
     *
     * @param keys the set whose numbers are in the column
     * @param key the signer's public key
     * @param e what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static VerifyKeys verifyKeys(Keys keys, Rows key, Rows e, Rows signature) {
        return new VerifyKeys(new Call(Operations.SM2_VERIFY_KEYS).keys(keys).with(0, key).with(1, e).with(2, signature));
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

        /** Numbers, in and out, are little-endian. */
        public VerifyKeys littleEndian() {
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
     * sm2.encrypt: encrypts with SM2.
     *
     * @param publicKey the receiver's public key
     * @param nonce random, and never used again; secret
     * @param plaintext what is encrypted; secret
     * @return the call, which run does
     */
    public static Encrypt encrypt(Rows publicKey, Rows nonce, Rows plaintext) {
        return new Encrypt(new Call(Operations.SM2_ENCRYPT).with(0, publicKey).with(1, nonce).with(2, plaintext));
    }

    /** A call of {@link #encrypt}. */
    public static final class Encrypt extends TypedCall<Encrypt.Result> {
        private Encrypt(Call call) {
            super(call);
        }

        /** Signatures and ciphertexts, in and out, are strict DER instead of their parts in a row. */
        public Encrypt der() {
            call.flag(Flag.DER);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public Encrypt littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** SM2 ciphertexts have their hash last, as before 2012, instead of in the middle. */
        public Encrypt c1c2c3() {
            call.flag(Flag.C1C2C3);
            return this;
        }

        /** How points are written. */
        public Encrypt pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** How many bytes a derived key has, or a ciphertext or plaintext at most; has to be said. */
        public Encrypt outputBytes(int bytes) {
            call.outputBytes(bytes);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out ciphertext, byte[] status) {
            call.runInto(context, status, ciphertext);
        }

        @Override
        Encrypt.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The ciphertext. */
            public final Column ciphertext;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                ciphertext = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * sm2.decrypt: decrypts with SM2.
     *
     * @param privateKey the receiver's private key; secret
     * @param ciphertext the ciphertext
     * @return the call, which run does
     */
    public static Decrypt decrypt(Rows privateKey, Rows ciphertext) {
        return new Decrypt(new Call(Operations.SM2_DECRYPT).with(0, privateKey).with(1, ciphertext));
    }

    /** A call of {@link #decrypt}. */
    public static final class Decrypt extends TypedCall<Decrypt.Result> {
        private Decrypt(Call call) {
            super(call);
        }

        /** Signatures and ciphertexts, in and out, are strict DER instead of their parts in a row. */
        public Decrypt der() {
            call.flag(Flag.DER);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public Decrypt littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** SM2 ciphertexts have their hash last, as before 2012, instead of in the middle. */
        public Decrypt c1c2c3() {
            call.flag(Flag.C1C2C3);
            return this;
        }

        /** How points are written. */
        public Decrypt pointFormat(PointFormat format) {
            call.pointFormat(format);
            return this;
        }

        /** How many bytes a derived key has, or a ciphertext or plaintext at most; has to be said. */
        public Decrypt outputBytes(int bytes) {
            call.outputBytes(bytes);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out plaintext, byte[] status) {
            call.runInto(context, status, plaintext);
        }

        @Override
        Decrypt.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** What was encrypted; secret. */
            public final Column plaintext;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                plaintext = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * sm2.exchange: agrees on a key with SM2.
     *
     * @param privateKey this side's private key; secret
     * @param ephemeralKey this side's private key for this exchange; secret
     * @param peerPublicKey the other side's public key
     * @param peerEphemeralPoint the other side's public key for this exchange
     * @return the call, which run does
     */
    public static Exchange exchange(Rows privateKey, Rows ephemeralKey, Rows peerPublicKey, Rows peerEphemeralPoint) {
        return new Exchange(new Call(Operations.SM2_EXCHANGE).with(0, privateKey).with(1, ephemeralKey).with(3, peerPublicKey).with(4, peerEphemeralPoint));
    }

    /** A call of {@link #exchange}. */
    public static final class Exchange extends TypedCall<Exchange.Result> {
        private Exchange(Call call) {
            super(call);
        }

        /** This side's id. */
        public Exchange id(Rows rows) {
            call.with(2, rows);
            return this;
        }

        /** The other side's id. */
        public Exchange peerId(Rows rows) {
            call.with(5, rows);
            return this;
        }

        /** Numbers, in and out, are little-endian. */
        public Exchange littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** SM2 key exchange: this side is the one that answers. */
        public Exchange responder() {
            call.flag(Flag.RESPONDER);
            return this;
        }

        /** How many bytes a derived key has, or a ciphertext or plaintext at most; has to be said. */
        public Exchange outputBytes(int bytes) {
            call.outputBytes(bytes);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out key, Out confirmation, Out peerConfirmation, byte[] status) {
            call.runInto(context, status, key, confirmation, peerConfirmation);
        }

        @Override
        Exchange.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The key; secret. */
            public final Column key;
            /** What this side sends. */
            public final Column confirmation;
            /** What the other side has to send. */
            public final Column peerConfirmation;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                key = result.columns().get(0);
                confirmation = result.columns().get(1);
                peerConfirmation = result.columns().get(2);
                statuses = result.statuses();
            }
        }
    }
}
