// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** Typed functions of the operations ethereum. */
public final class Ethereum {
    private Ethereum() {}

    /**
     * ethereum.address: computes the Ethereum address of a public key.
     *
     * @param publicKey the public key
     * @return the call, which run does
     */
    public static Address address(Rows publicKey) {
        return new Address(new Call(Operations.ETHEREUM_ADDRESS).with(0, publicKey));
    }

    /** A call of {@link #address}. */
    public static final class Address extends TypedCall<Address.Result> {
        private Address(Call call) {
            super(call);
        }

        /** Numbers, in and out, are little-endian. */
        public Address littleEndian() {
            call.flag(Flag.LITTLE_ENDIAN);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out address, byte[] status) {
            call.runInto(context, status, address);
        }

        @Override
        Address.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** Its address. */
            public final Column address;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                address = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * ethereum.recover: finds the Ethereum address that made a signature.
     *
     * @param digest what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static Recover recover(Rows digest, Rows signature) {
        return new Recover(new Call(Operations.ETHEREUM_RECOVER).with(0, digest).with(1, signature));
    }

    /** A call of {@link #recover}. */
    public static final class Recover extends TypedCall<Recover.Result> {
        private Recover(Call call) {
            super(call);
        }

        /** Refuse s greater than half the order; of signatures made, make it low. */
        public Recover lowS() {
            call.flag(Flag.LOW_S);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out address, byte[] status) {
            call.runInto(context, status, address);
        }

        @Override
        Recover.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The signer's address. */
            public final Column address;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                address = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * ethereum.recover_columns: finds the Ethereum address that made a signature of r, s and v.
     *
     * @param digest what was signed
     * @param r the signature's r
     * @param s the signature's s
     * @param v the signature's v
     * @return the call, which run does
     */
    public static RecoverColumns recoverColumns(Rows digest, Rows r, Rows s, Rows v) {
        return new RecoverColumns(new Call(Operations.ETHEREUM_RECOVER_COLUMNS).with(0, digest).with(1, r).with(2, s).with(3, v));
    }

    /** A call of {@link #recoverColumns}. */
    public static final class RecoverColumns extends TypedCall<RecoverColumns.Result> {
        private RecoverColumns(Call call) {
            super(call);
        }

        /** Refuse s greater than half the order; of signatures made, make it low. */
        public RecoverColumns lowS() {
            call.flag(Flag.LOW_S);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out address, byte[] status) {
            call.runInto(context, status, address);
        }

        @Override
        RecoverColumns.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The signer's address. */
            public final Column address;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                address = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }

    /**
     * ethereum.recover_message: finds the Ethereum address that made a signature of the Keccak-256 of a message.
     *
     * @param message what was signed
     * @param signature the signature
     * @return the call, which run does
     */
    public static RecoverMessage recoverMessage(Rows message, Rows signature) {
        return new RecoverMessage(new Call(Operations.ETHEREUM_RECOVER_MESSAGE).with(0, message).with(1, signature));
    }

    /** A call of {@link #recoverMessage}. */
    public static final class RecoverMessage extends TypedCall<RecoverMessage.Result> {
        private RecoverMessage(Call call) {
            super(call);
        }

        /** Refuse s greater than half the order; of signatures made, make it low. */
        public RecoverMessage lowS() {
            call.flag(Flag.LOW_S);
            return this;
        }

        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */
        public void runInto(Context context, Out address, byte[] status) {
            call.runInto(context, status, address);
        }

        @Override
        RecoverMessage.Result result(Call.Result result) {
            return new Result(result);
        }

        /** What it gives. */
        public static final class Result {
            /** The signer's address. */
            public final Column address;
            /** What came of each row. */
            public final Statuses statuses;

            private Result(Call.Result result) {
                address = result.columns().get(0);
                statuses = result.statuses();
            }
        }
    }
}
