package org.gecc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a call costs over C's, and whether memory stays flat: Measure PROGRAM [CALLS]. PROGRAM: what measure.c was
 * compiled to, which is run in each of five passes. Time of the CPU on one thread, medians; Java's with results in new
 * memory from arrays, and from direct buffers into direct buffers. Memory says more where Java has its own from the
 * start: -Xms64m -Xmx64m -XX:+AlwaysPreTouch.
 */
public final class Measure {
    private static final int ROUNDS = 201;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Measure() {}

    private static double time(int calls, Runnable call) {
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        return (THREADS.getCurrentThreadCpuTime() - start) / (double) calls;
    }

    private static double median(double... values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static double measure(int rows, Runnable call) {
        double[] rounds = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            rounds[i] = time(1000 / rows + 3, call);
        }
        return median(rounds);
    }

    private static Map<String, Double> inC(String program) throws IOException {
        Map<String, Double> found = new HashMap<>();
        Process process = new ProcessBuilder(program).redirectErrorStream(true).start();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line; (line = lines.readLine()) != null; ) {
                String[] words = line.split(" ");
                found.put(words[0] + " " + words[1], Double.parseDouble(words[2]));
            }
        }
        return found;
    }

    private static ByteBuffer direct(byte[] bytes, int length) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        buffer.put(bytes, 0, length);
        buffer.rewind();
        return buffer;
    }

    private static long residentKib() throws IOException {
        for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no line of memory");
    }

    /** A hundred calls of one row, one of them a job on a set of keys, and one that is refused. */
    private static void hundredCalls(Context context, byte[] key, byte[] point) {
        for (int i = 0; i < 98; i++) {
            Ec.publicKey(Curve.SECP256K1, Rows.packed(key, 32)).run(context);
        }
        try (Keys keys = Keys.open(context, Curve.SECP256K1, Rows.packed(point, 65), new KeysConfig().window(8))) {
            Ec.mulAddKeys(keys, Rows.packed(key, 32), Rows.packed(key, 32), Rows.same(new byte[4]))
                    .submit(context).join();
        }
        Tests.refused("curve", () -> Ec.publicKey(Curve.CURVE25519, Rows.packed(key, 32)).run(context));
    }

    public static void main(String[] arguments) throws IOException {
        int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1000000;
        try (Context context = Context.open(new Config().backend("cpu").threads(1))) {
            byte[] keys = new byte[4096 * 32];
            Arrays.fill(keys, (byte) 5);
            byte[] points = Ec.publicKey(Curve.SECP256K1, Rows.packed(keys, 32)).run(context).out.bytes();
            Map<String, double[]> c = new TreeMap<>();
            Map<String, double[]> java = new TreeMap<>();
            int passes = calls < 100000 ? 1 : 5;
            for (int pass = 0; pass < passes; pass++) {
                for (Map.Entry<String, Double> one : inC(arguments[0]).entrySet()) {
                    c.computeIfAbsent(one.getKey(), key -> new double[passes])[pass] = one.getValue();
                }
                for (int rows : new int[] {1, 4096}) {
                    byte[] some = Arrays.copyOf(points, rows * 65);
                    byte[] texts = Arrays.copyOf(keys, rows * 32);
                    ByteBuffer someDirect = direct(points, rows * 65);
                    ByteBuffer textsDirect = direct(keys, rows * 32);
                    ByteBuffer digests = ByteBuffer.allocateDirect(rows * 32);
                    byte[] status = new byte[rows];
                    Map<String, Runnable> all = new HashMap<>();
                    all.put("validate " + rows + " arrays", () ->
                            Tests.check(Ec.validate(Curve.SECP256K1, Rows.packed(some, 65)).run(context).allOk(),
                                    "validate"));
                    all.put("digest " + rows + " arrays", () ->
                            Tests.check(Gecc.digest(Hash.SHA256, Rows.packed(texts, 32)).run(context)
                                    .statuses.allOk(), "digest"));
                    all.put("validate " + rows + " direct", () ->
                            Ec.validate(Curve.SECP256K1, Rows.packed(someDirect, 65)).runInto(context, status));
                    all.put("digest " + rows + " direct", () ->
                            Gecc.digest(Hash.SHA256, Rows.packed(textsDirect, 32))
                                    .runInto(context, Out.strided(digests, 0, 32), status));
                    for (Map.Entry<String, Runnable> one : all.entrySet()) {
                        time(pass == 0 && passes > 1 ? 20000 / rows + 200 : 10, one.getValue()); // for the compiler
                        java.computeIfAbsent(one.getKey(), key -> new double[passes])[pass] = measure(rows,
                                one.getValue());
                    }
                }
            }
            for (Map.Entry<String, double[]> one : java.entrySet()) {
                double ours = median(one.getValue());
                double theirs = median(c.get(one.getKey().replaceFirst(" [a-z]*$", "")));
                System.out.printf("%-22s C %.0f ns a call, Java %.0f ns, %+.0f ns%n", one.getKey(), theirs, ours,
                        ours - theirs);
            }

            byte[] one = Arrays.copyOf(keys, 32);
            byte[] point = Arrays.copyOf(points, 65);
            time(calls / 2 / 100 + 10, () -> hundredCalls(context, one, point));
            System.gc();
            long before = residentKib();
            time(calls / 100, () -> hundredCalls(context, one, point));
            System.gc();
            long after = residentKib();
            System.out.printf("%d calls of one row: memory from %d to %d KiB%n", calls, before, after);
            Tests.check(after < before + 8192, "memory grows");
        }
    }
}
