package org.gecc;

import static org.gecc.Tests.check;
import static org.gecc.Tests.equal;
import static org.gecc.Tests.refused;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Shapes of columns, jobs, threads, memory, and what has to be refused. */
final class BehaviourTests {
    private BehaviourTests() {}

    private static Context open() {
        return Context.open(new Config().backend("cpu").threads(2));
    }

    private static byte[] filled(int rows, int width, int step) {
        byte[] bytes = new byte[rows * width];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i / width % 250 * step + 1);
        }
        return bytes;
    }

    private static ByteBuffer direct(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + 5);
        buffer.position(3);
        buffer.put(bytes);
        buffer.limit(3 + bytes.length).position(3);
        return buffer;
    }

    /** Signatures on P-256, that of row 3 spoilt, and what verifying them gives. */
    private static final class Signed {
        final int count;
        final byte[] keys;
        final byte[] points;
        final byte[] digests;
        final byte[] signatures;

        Signed(Context context, int count) {
            this.count = count;
            keys = filled(count, 32, 1);
            digests = filled(count, 32, 3);
            points = Ec.publicKey(Curve.P256, Rows.packed(keys, 32)).run(context).out.bytes();
            signatures = Ecdsa.sign(Curve.P256, Rows.packed(keys, 32), Rows.packed(digests, 32)).run(context)
                    .signature.bytes();
            signatures[3 * 64 + 40] ^= 1;
        }

        Ecdsa.Verify verify() {
            return Ecdsa.verify(Curve.P256, Rows.packed(points, 65), Rows.packed(digests, 32),
                    Rows.packed(signatures, 64));
        }

        boolean holds(Statuses statuses) {
            for (int i = 0; i < count; i++) {
                if (statuses.isOk(i) != (i != 3)) {
                    return false;
                }
            }
            return statuses.size() == count && !statuses.allOk();
        }
    }

    public static void shapesOfColumnsGiveTheSame() {
        try (Context context = open()) {
            Signed signed = new Signed(context, 10);
            Statuses spoilt = signed.verify().run(context);
            check(signed.holds(spoilt), spoilt.toString());

            byte[] records = new byte[10 * 103];
            byte[][] points = new byte[10][];
            for (int i = 0; i < 10; i++) {
                System.arraycopy(signed.signatures, 64 * i, records, 103 * i, 64);
                System.arraycopy(signed.digests, 32 * i, records, 103 * i + 71, 32);
                points[i] = Arrays.copyOfRange(signed.points, 65 * i, 65 * i + 65);
            }
            Rows ragged = Rows.ragged(points);
            check(signed.holds(Ecdsa.verify(Curve.P256, ragged, Rows.strided(records, 71, 32, 103, 10),
                    Rows.strided(records, 0, 64, 103, 10))
                    .run(context)), "strided arrays");
            ByteBuffer buffer = direct(records);
            check(signed.holds(Ecdsa.verify(Curve.P256, Rows.packed(direct(signed.points), 65),
                    Rows.strided(buffer, 71, 32, 103, 10),
                    Rows.strided(buffer.asReadOnlyBuffer(), 0, 64, 103, 10)).run(context)), "strided buffers");
            long[] offsets = new long[10];
            int[] widths = new int[10];
            for (int i = 0; i < 10; i++) {
                offsets[i] = 103L * i;
                widths[i] = 64;
            }
            for (Rows rows : new Rows[] {Rows.ragged(records, offsets, widths), Rows.ragged(buffer, offsets, widths)}) {
                Ecdsa.Verify call = Ecdsa.verify(Curve.P256, ragged, Rows.packed(signed.digests, 32), rows);
                check(signed.holds(call.run(context)), "ragged");
            }
            Statuses one = Ecdsa.verify(Curve.P256, Rows.same(points[0]),
                    Rows.same(direct(Arrays.copyOf(signed.digests, 32))),
                    Rows.packed(signed.signatures, 64)).run(context);
            check(one.size() == 10 && one.isOk(0) && one.get(1) == Status.INVALID, "one value for all rows");
            equal(Gecc.digest(Hash.SHA256, Rows.same(new byte[0])).run(context).digest.row(0)[0], (byte) 0xe3,
                    "no byte");
            equal(Gecc.digest(Hash.SHA256, Rows.same(ByteBuffer.allocateDirect(0))).run(context).digest.row(0)[0],
                    (byte) 0xe3, "no byte");
            Ec.PublicKey none = Ec.publicKey(Curve.P256, Rows.packed(new byte[0], 32));
            check(none.run(context).statuses.size() == 0 && !none.run(context).statuses.allOk(), "no row");
            equal(Ec.validate(Curve.P256, none.run(context).out.rows()).run(context).size(), 0, "no row comes back");
        }
    }

    public static void rowsThatDoNotLieInTheirBytesAreRefused() {
        byte[] bytes = new byte[100];
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        refused("100 bytes", () -> Rows.packed(bytes, 33));
        for (int width : new int[] {0, -1, 33, Integer.MIN_VALUE}) {
            refused("bytes", () -> Rows.packed(bytes, width));
            refused("bytes", () -> Rows.packed(buffer, width));
        }
        check(Rows.strided(bytes, 0, 32, 34, 3).size() == 3, "they just fit");
        int[][] wrong = {{1, 32, 34, 3}, {0, 33, 34, 3}, {0, 1, Integer.MAX_VALUE, 3}, {-1, 1, 1, 1}, {0, -1, 1, 1},
                {0, 1, -1, 2},
            {0, 1, 1, -1}, {101, 0, 0, 0}, {0, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE}};
        for (int[] it : wrong) {
            refused("do not lie", () -> Rows.strided(bytes, it[0], it[1], it[2], it[3]));
            refused("do not lie", () -> Rows.strided(buffer, it[0], it[1], it[2], it[3]));
        }
        check(Rows.ragged(bytes, new long[] {0, 90}, new int[] {100, 10}).size() == 2, "they just fit");
        refused("row 1", () -> Rows.ragged(bytes, new long[] {0, 91}, new int[] {100, 10}));
        refused("row 0", () -> Rows.ragged(buffer, new long[] {Long.MAX_VALUE}, new int[] {1}));
        refused("row 0", () -> Rows.ragged(buffer, new long[] {-1}, new int[] {1}));
        refused("row 0", () -> Rows.ragged(buffer, new long[] {1}, new int[] {-1}));
        refused("offsets", () -> Rows.ragged(bytes, new long[] {0}, new int[0]));
        refused("row 1", () -> Rows.ragged(new byte[][] {bytes, null}));
        refused("not direct", () -> Rows.packed(ByteBuffer.allocate(32), 32));
        refused("not direct", () -> Rows.same(ByteBuffer.wrap(bytes)));
        refused("not direct", () -> Out.strided(ByteBuffer.allocate(32), 0, 32));
        refused("read", () -> Out.strided(buffer.asReadOnlyBuffer(), 0, 32));
        refused("null", () -> Rows.packed((byte[]) null, 1));
        refused("null", () -> Rows.same((ByteBuffer) null));
        refused("null", () -> Rows.ragged((byte[][]) null));
        refused("null", () -> Rows.ragged(bytes, null, new int[0]));
        refused("out", () -> Out.strided(bytes, -1, 1));
        refused("out", () -> Out.strided(bytes, 0, 0));
        refused("out", () -> Out.strided(bytes, 101, 1));
        refused("negative", () -> new Config().threads(-1));
        refused("negative", () -> new KeysConfig().rows(-1));
    }

    public static void outputsGoWhereTheCallerWantsThem() {
        try (Context context = open()) {
            byte[] keys = filled(3, 32, 1);
            Ec.PublicKey call = Ec.publicKey(Curve.P256, Rows.packed(keys, 32));
            byte[] expected = call.run(context).out.bytes();
            byte[] status = {7, 7, 7};
            byte[] array = filled(1, 3 * 70 + 5, 1);
            ByteBuffer buffer = ByteBuffer.allocateDirect(3 * 70 + 5);
            call.runInto(context, Out.strided(array, 4, 70), status);
            check(Arrays.equals(status, new byte[] {1, 1, 1}), "statuses");
            call.runInto(context, Out.strided(buffer, 4, 70), status);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 65; j++) {
                    check(array[4 + 70 * i + j] == expected[65 * i + j], "array, row " + i);
                    check(buffer.get(4 + 70 * i + j) == expected[65 * i + j], "buffer, row " + i);
                }
                check(array[4 + 70 * i + 65] == 1 && array[3] == 1 && buffer.get(4 + 70 * i + 69) == 0, "between rows");
            }
            byte[] packed = new byte[195];
            call.runInto(context, Out.strided(packed, 0, 65), status);
            check(Arrays.equals(packed, expected), "packed");

            for (Out out : new Out[] {Out.strided(packed, 1, 65), Out.strided(packed, 0, 64),
                    Out.strided(packed, 0, 66),
                Out.strided(ByteBuffer.allocateDirect(194), 0, 65), Out.strided(new byte[130], 0, 65)}) {
                refused("out: no room", () -> into(call, context, out, status));
            }
            refused("out", () -> into(call, context, null, status));
            refused("status", () -> into(call, context, Out.strided(packed, 0, 65), new byte[2]));
            refused("status", () -> into(call, context, Out.strided(packed, 0, 65), null));
            refused("outputs", () -> {
                call.call.runInto(context, status);
                return null;
            });
            Arrays.fill(status, (byte) 9);
            refused("curve", () -> into(Ec.publicKey(Curve.CURVE25519, Rows.packed(keys, 32)), context,
                    Out.strided(packed, 0, 65), status));
            check(Arrays.equals(status, new byte[3]), "statuses of a call that is refused say so");

            byte[] der = new byte[3 * 72];
            int[] widths = new int[3];
            Ecdsa.Sign sign = Ecdsa.sign(Curve.P256, Rows.packed(keys, 32), Rows.packed(filled(3, 32, 5), 32)).der();
            sign.runInto(context, Out.strided(der, 0, 72).withWidths(widths), null, status);
            check(widths[0] >= 68 && der[0] == 0x30 && der[1] == widths[0] - 2, "widths of DER");
            refused("signature", () -> intoDer(sign, context, Out.strided(der, 0, 72), status));
            refused("signature", () -> intoDer(sign, context, Out.strided(der, 0, 72).withWidths(new int[2]), status));
        }
    }

    private static Object into(Ec.PublicKey call, Context context, Out out, byte[] status) {
        call.runInto(context, out, status);
        return null;
    }

    private static Object intoDer(Ecdsa.Sign call, Context context, Out out, byte[] status) {
        call.runInto(context, out, null, status);
        return null;
    }

    public static void derRowsHaveWidths() {
        try (Context context = open()) {
            Signed signed = new Signed(context, 40);
            Column der = Ecdsa.sign(Curve.P256, Rows.packed(signed.keys, 32), Rows.packed(signed.digests, 32)).der()
                    .run(context).signature;
            int shorter = 0;
            for (int i = 0; i < der.size(); i++) {
                shorter += der.row(i).length < 72 ? 1 : 0;
            }
            check(shorter > 0 && der.stride() == 72, "widths");
            check(Ecdsa.verify(Curve.P256, Rows.packed(signed.points, 65), Rows.packed(signed.digests, 32),
                    der.rows()).der()
                    .run(context).allOk(), "they come back as rows");
        }
    }

    public static void whatIsClosedOrNullIsRefused() throws Exception {
        Context context = open();
        Signed signed = new Signed(context, 5);
        Keys keys = Keys.open(context, Curve.P256, Rows.packed(signed.points, 65));
        check(keys.statuses().allOk(), "keys");
        refused("", () -> keys.add(Rows.packed(signed.points, 65)));
        Rows numbers = Rows.packed(new byte[] {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}, 4);
        Rows digests = Rows.packed(signed.digests, 32);
        Ecdsa.VerifyKeys verify = Ecdsa.verifyKeys(keys, numbers, digests, Rows.packed(signed.signatures, 64));
        check(signed.holds(verify.run(context)), "by numbers");
        try (Context other = open()) {
            refused("keys", () -> verify.run(other));
        }
        refused("context", () -> signed.verify().run(null));
        refused("context", () -> signed.verify().submit(null));
        refused("curve", () -> Ecdsa.verify(null, digests, digests, digests));
        refused("public_key", () -> Ecdsa.verify(Curve.P256, null, digests, digests).run(context));
        refused("keys", () -> Ecdsa.verifyKeys(null, numbers, digests, digests));
        refused("hash", () -> Gecc.digest(null, digests));
        refused("modulus", () -> Mod.add(null, digests, digests));
        refused("name", () -> Curve.named(null));
        refused("P-257", () -> Curve.named("P-257"));
        refused("zero", () -> Curve.named("P-256\0"));
        refused("nothing", () -> Call.named("nothing"));
        refused("publicKeys", () -> Keys.open(context, Curve.P256, null));
        try {
            Context.open(new Config().backend("abacus")).close();
            throw new AssertionError("abacus");
        } catch (GeccException e) {
            check(e.kind() == ErrorKind.NO_BACKEND && e.getMessage().contains("abacus"), e.getMessage());
        }
        refused("zero", () -> Context.open(new Config().backend("c\0pu")));

        CompletableFuture<Statuses> last = verify.submit(context);
        context.close();
        context.close();
        refused("context: it is closed", () -> verify.run(context));
        refused("context: it is closed", () -> verify.submit(context));
        refused("context: it is closed", () -> context.backends());
        refused("context: it is closed", () -> Keys.open(context, Curve.P256, Rows.packed(signed.points, 65)));
        check(signed.holds(last.get()), "a job that was under way");
        keys.close();
        keys.close();
        try (Context other = open()) {
            refused("closed", () -> verify.run(other));
            refused("closed", () -> keys.add(Rows.packed(signed.points, 65)));
        }
    }

    /** What the public classes let nobody do, done: C checks too. */
    public static void theNativeHalfTrustsNothing() {
        byte[] digest = new byte[32];
        int operation = Native.operation(Native.utf8("digest"));
        equal(Native.operation(Native.utf8("nothing")), -1, "operation");
        long context = Native.open(null, null, new long[5]);
        long[] right = {0, 1, 0, 0, 0, 0, 1, 0, 32, 32};
        Object[] data = {digest};
        check(Native.run(context, 0, operation, right, null, data, null, null, null, null, null).length == 3,
                "it is right");
        for (long handle : new long[] {0, -1, context + 1, context + (1L << 32), Long.MIN_VALUE, 77}) {
            refused("closed", () -> Native.run(handle, 0, operation, right, null, data, null, null, null, null, null));
            refused("waited", () -> Native.await(handle, null));
            Native.close(handle);
        }
        refused("closed", () -> Native.run(context, context, operation, right, null, data, null, null, null, null,
                null));
        refused("closed", () -> Native.keysAdd(context, new long[8], digest, null, null, new byte[1]));
        for (int number : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1000}) {
            refused("operation", () -> Native.run(context, 0, number, right, null, data, null, null, null, null, null));
        }
        for (int i = 0; i < right.length; i++) {
            long[] wrong = right.clone();
            wrong[i] = -1;
            refused("negative", () -> Native.run(context, 0, operation, wrong, null, data, null, null, null, null,
                    null));
            wrong[i] = Long.MAX_VALUE;
            if (i != 8) { // one row has no stride
                refused("", () -> Native.run(context, 0, operation, wrong, null, data, null, null, null, null, null));
            }
        }
        refused("numbers", () -> Native.run(context, 0, operation, Arrays.copyOf(right, 9), null, data, null, null,
                null, null, null));
        refused("numbers", () -> Native.run(context, 0, operation, null, null, data, null, null, null, null, null));
        refused("columns", () -> Native.run(context, 0, operation, right, null, new Object[2], null, null, null,
                null, null));
        refused("columns", () -> Native.run(context, 0, operation, right, null, null, null, null, null, null, null));
        for (Object wrong : new Object[] {"text", new int[8], ByteBuffer.allocate(32)}) {
            refused("message", () -> Native.run(context, 0, operation, right, null, new Object[] {wrong}, null, null,
                    null, null, null));
        }
        refused("message", () -> Native.run(context, 0, operation, right, null, new Object[1], null, null, null,
                null, null));
        int[][] widths = {{33}};
        refused("message", () -> Native.run(context, 0, operation, right, null, data, widths, null, null, null, null));
        refused("message", () -> Native.run(context, 0, operation, right, null, data, new int[][] {{-1}}, null, null,
                null, null));
        refused("message", () -> Native.run(context, 0, operation, right, null, data, new int[][] {{1, 1}}, null,
                null, null, null));
        refused("message", () -> Native.run(context, 0, operation, right, null, data, null, new long[][] {{-1}},
                null, null, null));
        refused("message", () -> Native.run(context, 0, operation, right, null, data, null, new long[][] {{1}}, null,
                null, null));
        long[] into = Arrays.copyOf(right, 12);
        into[11] = 32;
        Object[] out = {new byte[32]};
        check(Native.run(context, 0, operation, into, null, data, null, null, out, null, new byte[1]) == null, "into");
        refused("status", () -> Native.run(context, 0, operation, into, null, data, null, null, out, null,
                new byte[2]));
        refused("status", () -> Native.run(context, 0, operation, into, null, data, null, null, out, null, null));
        refused("room", () -> Native.run(context, 0, operation, into, null, data, null, null,
                new Object[] {new byte[31]}, null, new byte[1]));
        try {
            Native.run(context, 0, operation, right, null, data, new int[0][], null, null, null, null);
            throw new AssertionError("an array without the element");
        } catch (ArrayIndexOutOfBoundsException e) {
            check(e.getMessage() != null, "Java's own");
        }
        long[] key = {0, 32, 32, 1, 0, 0, 4, 0};
        byte[] status = new byte[1];
        byte[] one;
        try (Context other = open()) {
            one = Schnorr.publicKey(Rows.same(filled(1, 32, 1))).run(other).publicKey.bytes();
        }
        long keys = Native.keysOpen(context, Curve.SECP256K1.value(), key, one, null, null, status);
        refused("public_keys", () -> Native.keysOpen(context, 1, key, new byte[31], null, null, status));
        refused("public_keys", () -> Native.keysOpen(context, 1, key, one, null, null, new byte[2]));
        refused("public_keys", () -> Native.keysOpen(context, 1, key, null, null, null, status));
        refused("closed", () -> Native.keysOpen(keys, 1, key, one, null, null, status));
        for (int i = 0; i < 3; i++) { // the keys keep the context, but no handle of it
            Native.close(context);
            refused("closed", () -> Native.run(context, 0, operation, right, null, data, null, null, null, null, null));
        }
        refused("room", () -> Native.keysAdd(keys, key, one, null, null, status));
        Native.close(keys);
        refused("closed", () -> Native.keysAdd(keys, key, one, null, null, status));
    }

    public static void secretsAreWipedAndNotPrinted() {
        try (Context context = open()) {
            byte[] secret = filled(2, 32, 0x59);
            ByteBuffer buffer = direct(secret);
            byte[][] many = {secret.clone(), Arrays.copyOf(secret, 3)};
            Rows[] all = {Rows.packed(secret, 32), Rows.packed(buffer, 32), Rows.ragged(many)};
            Gecc.Ecdh.Result done = Gecc.ecdh(Curve.P256, all[1], Ec.publicKey(Curve.P256, all[0]).run(context)
                    .out.rows()).run(context);
            check(done.statuses.allOk() && done.shared.row(0).length == 32, "ecdh");
            equal(done.shared.toString(), "Column[2 rows of 32 bytes]", "column");
            equal(Ec.publicKey(Curve.P256, all[0]).call.toString(), "ec.public_key[Rows[2 rows of 32 bytes]]", "call");
            for (Rows rows : all) {
                check(!rows.toString().matches(".*(5a|90|0x).*"), rows.toString());
                rows.wipe();
            }
            done.shared.wipe();
            buffer.position(3);
            byte[] left = new byte[64];
            buffer.get(left);
            for (byte[] zeros : new byte[][] {secret, left, many[0], many[1], (byte[]) all[2].data,
                    done.shared.bytes()}) {
                check(Arrays.equals(zeros, new byte[zeros.length]), "not wiped");
            }
        }
    }

    public static void jobsMayBeForgotten() throws Exception {
        Context context = open();
        Signed signed = new Signed(context, 3000);
        List<CompletableFuture<Statuses>> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Ecdsa.Verify call = i % 2 == 0 ? signed.verify() : Ecdsa.verify(Curve.P256,
                    Rows.packed(direct(signed.points), 65),
                    Rows.packed(direct(signed.digests), 32), Rows.packed(direct(signed.signatures), 64));
            CompletableFuture<Statuses> job = call.submit(context);
            if (i % 4 != 3) {
                jobs.add(job);
            }
            if (i % 4 == 2) {
                job.cancel(true);
            }
            System.gc(); // buffers that nothing but a job has
        }
        byte[] changed = signed.digests.clone();
        Ecdsa.Verify copied = Ecdsa.verify(Curve.P256, Rows.packed(signed.points, 65), Rows.packed(changed, 32),
                Rows.packed(signed.signatures, 64));
        CompletableFuture<Statuses> job = copied.submit(context);
        Arrays.fill(changed, (byte) 0);
        check(signed.holds(job.get()), "arrays are copied when a job is submitted");
        context.close();
        for (CompletableFuture<Statuses> one : jobs) {
            check(one.isCancelled() || signed.holds(one.get()), "job");
        }
        try (Context other = open()) {
            refused("curve", () -> Ec.validate(Curve.CURVE25519, Rows.packed(signed.points, 65)).submit(other));
            check(Gecc.digest(Hash.SHA256, Rows.same(new byte[3])).submit(other)
                    .thenApply(done -> done.statuses.allOk()).get(), "then");
        }
    }

    public static void aThousandCallsFromEachOfSixteenThreads() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (Context context = open()) {
            Signed signed = new Signed(context, 8);
            Keys keys = Keys.open(context, Curve.P256, Rows.packed(signed.points, 65));
            byte[] numbers = new byte[32];
            for (int i = 0; i < 8; i++) {
                numbers[4 * i] = (byte) i;
            }
            List<Future<Boolean>> all = new ArrayList<>();
            for (int thread = 0; thread < 16; thread++) {
                int first = thread;
                all.add(threads.submit(() -> {
                    for (int i = 0; i < 1000; i++) {
                        TypedCall<Statuses> call = (first + i) % 3 > 0 ? signed.verify()
                                : Ecdsa.verifyKeys(keys, Rows.packed(numbers, 4),
                                        Rows.packed(direct(signed.digests), 32), Rows.packed(signed.signatures, 64));
                        if (!signed.holds(i % 10 == 0 ? call.submit(context).get() : call.run(context))) {
                            return false;
                        }
                    }
                    return true;
                }));
            }
            for (Future<Boolean> one : all) {
                check(one.get(), "a thread");
            }
            keys.close();
        } finally {
            threads.shutdown();
        }
    }

    /** Contexts and keys that are closed while others use them: calls are done or refused, and nothing else. */
    public static void closingRacesWithCalls() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        int refusals = 0;
        for (int round = 0; round < 30; round++) {
            Context context = open();
            Signed signed = new Signed(context, 5);
            Keys keys = Keys.open(context, Curve.P256, Rows.packed(signed.points, 65));
            Rows numbers = Rows.packed(new byte[20], 4);
            List<Future<Boolean>> all = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                all.add(threads.submit(() -> {
                    for (int i = 0; i < 10000; i++) {
                        try {
                            Ecdsa.verifyKeys(keys, numbers, Rows.packed(signed.digests, 32),
                                    Rows.packed(signed.signatures, 64)).run(context);
                        } catch (GeccException e) {
                            check(e.getMessage().contains("closed"), e.getMessage());
                            return true;
                        }
                    }
                    return false;
                }));
            }
            Thread.sleep(1);
            if (round % 2 == 0) {
                keys.close();
            }
            context.close();
            for (Future<Boolean> one : all) {
                refusals += one.get() ? 1 : 0;
            }
            keys.close();
        }
        threads.shutdown();
        equal(refusals, 120, "refusals");
    }

    public static void allOkSeesEveryRow() {
        for (int rows = 0; rows < 20; rows++) {
            byte[] status = new byte[rows];
            Arrays.fill(status, (byte) 1);
            equal(new Statuses(status).allOk(), rows > 0, rows + " rows");
            for (int i = 0; i < rows; i++) {
                for (int wrong : new int[] {0, 2, 255, 129}) {
                    status[i] = (byte) wrong;
                    check(!new Statuses(status).allOk(), "row " + i + " of " + rows);
                }
                status[i] = 1;
            }
        }
    }

    public static void namesAreThoseOfTheLibrary() {
        check(Curve.named("prime256v1") == Curve.P256 && Hash.named("sha384") == Hash.SHA384, "names");
        check(Flag.named("LOW_S") == Flag.LOW_S && PointFormat.named("raw") == PointFormat.RAW, "names");
        for (Curve curve : Curve.values()) {
            equal(Curve.named(curve.text()), curve, curve.text());
        }
        for (Hash hash : Hash.values()) {
            equal(Hash.named(hash.text()), hash, hash.text());
        }
        for (Flag flag : Flag.values()) {
            equal(Flag.named(flag.text()), flag, flag.text());
        }
        check(Status.of(99) == Status.OTHER && ErrorKind.of(77) == ErrorKind.OTHER && Status.of(255) == Status.NULL,
                "others");
        check(Status.MALFORMED_WIDTH.isMalformed() && !Status.INFINITY.isMalformed(), "malformed");
        check(Status.INVALID.text().contains("does not verify"), Status.INVALID.text());
        try (Context context = open()) {
            check(context.backends().stream().anyMatch(backend -> backend.isChosen && backend.name.equals("cpu")
                    && backend.threads == 2), context.backends().toString());
        }
    }
}
