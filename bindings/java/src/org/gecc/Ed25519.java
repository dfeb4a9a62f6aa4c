// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/**
 * Typed functions of the operations ed25519.
 * Inputs that are secret are the caller's to wipe, by Rows.wipe.
 */
public final class Ed25519 {
    private Ed25519() {}

    /**
     * ed25519.public_key: computes the Ed25519 public key of a seed.
     *
     * @param seed the seed; secret
     * @return the call, which run does
     */
    public static PublicKey publicKey(Rows seed) {
        return new PublicKey(new Call(Operations.ED25519_PUBLIC_KEY).with(0, seed));
    }

    /** A call of {@link #publicKey}. */
    public static final class PublicKey extends TypedCall<PublicKey.Result> {
        private PublicKey(Call call) {
            super(call);
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
     * ed25519.sign: signs a message with Ed25519.
     *
     * @param seed the seed; secret
     * @param message what is signed
     * @return the call, which run does
     */
    public static Sign sign(Rows seed, Rows message) {
        return new Sign(new Call(Operations.ED25519_SIGN).with(0, seed).with(1, message));
    }

    /** A call of {@link #sign}. */
    public static final class Sign extends TypedCall<Sign.Result> {
        private Sign(Call call) {
            super(call);
        }

        /** What else it is bound to. */
        public Sign ctx(Rows rows) {
            call.with(2, rows);
            return this;
        }

        /** Verify each signature in full before it is given. */
        public Sign verifySignatures() {
            call.flag(Flag.VERIFY_SIGNATURES);
            return this;
        }

        /** Ed25519ph: messages are hashed before they are signed. */
        public Sign prehash() {
            call.flag(Flag.PREHASH);
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
     * ed25519.verify: checks an Ed25519 signature.
     *
     * @param publicKey the signer's public key
     * @param message what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static Verify verify(Rows publicKey, Rows message, Rows signature) {
        return new Verify(new Call(Operations.ED25519_VERIFY).with(0, publicKey).with(1, message).with(2, signature));
    }

    /** A call of {@link #verify}. */
    public static final class Verify extends TypedCall<Statuses> {
        private Verify(Call call) {
            super(call);
        }

        /** What else it is bound to. */
        public Verify ctx(Rows rows) {
            call.with(3, rows);
            return this;
        }

        /** Ed25519ph: messages are hashed before they are signed. */
        public Verify prehash() {
            call.flag(Flag.PREHASH);
            return this;
        }

        /** Accept Ed25519 keys as ref10, OpenSSL and Go do: y need not be below p. */
        public Verify acceptRef10() {
            call.flag(Flag.ACCEPT_REF10);
            return this;
        }

        /** Refuse Ed25519 keys and R of small order, as libsodium does. */
        public Verify acceptStrict() {
            call.flag(Flag.ACCEPT_STRICT);
            return this;
        }

        /** Accept what ZIP 215 does: keys and R in any encoding, times 8. */
        public Verify acceptZip215() {
            call.flag(Flag.ACCEPT_ZIP215);
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
     * ed25519.verify_keys: checks an Ed25519 signature of a prepared key.
     *
     * @param keys the set whose numbers are in the column
     * @param key the signer's public key
     * @param message what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static VerifyKeys verifyKeys(Keys keys, Rows key, Rows message, Rows signature) {
        return new VerifyKeys(new Call(Operations.ED25519_VERIFY_KEYS).keys(keys).with(0, key).with(1, message).with(2, signature));
    }

    /** A call of {@link #verifyKeys}. */
    public static final class VerifyKeys extends TypedCall<Statuses> {
        private VerifyKeys(Call call) {
            super(call);
        }

        /** What else it is bound to. */
        public VerifyKeys ctx(Rows rows) {
            call.with(3, rows);
            return this;
        }

        /** Ed25519ph: messages are hashed before they are signed. */
        public VerifyKeys prehash() {
            call.flag(Flag.PREHASH);
            return this;
        }

        /** Accept Ed25519 keys as ref10, OpenSSL and Go do: y need not be below p. */
        public VerifyKeys acceptRef10() {
            call.flag(Flag.ACCEPT_REF10);
            return this;
        }

        /** Refuse Ed25519 keys and R of small order, as libsodium does. */
        public VerifyKeys acceptStrict() {
            call.flag(Flag.ACCEPT_STRICT);
            return this;
        }

        /** Accept what ZIP 215 does: keys and R in any encoding, times 8. */
        public VerifyKeys acceptZip215() {
            call.flag(Flag.ACCEPT_ZIP215);
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
}
