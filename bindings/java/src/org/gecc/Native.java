package org.gecc;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;

/** The C half: native/gecc_jni.c, which checks every handle, number and length again. */
final class Native {
    /** Of enums, as named and text take them. */
    static final int CURVE = 0, HASH = 1, POINT_FORMAT = 2, FLAG = 3, RESULT = 4, ITEM = 5;

    private Native() {}

    static native long open(byte[] backend, byte[] device, long[] numbers);

    static native void close(long handle);

    static native byte[] backend(long context, int index);

    static native long keysOpen(
            long context, int curve, long[] numbers, Object data, int[] widths, long[] offsets, byte[] status);

    static native long keysAdd(
            long keys, long[] numbers, Object data, int[] widths, long[] offsets, byte[] status);

    static native Object[] run(
            long context, long keys, int operation, long[] numbers, byte[] modulus,
            Object[] data, int[][] widths, long[][] offsets, Object[] outs, int[][] outWidths, byte[] status);

    static native long submit(
            long context, long keys, int operation, long[] numbers, byte[] modulus,
            Object[] data, int[][] widths, long[][] offsets);

    /** Wait for a job, once. The data are what it was submitted with: direct buffers, which live until it is done. */
    static native Object[] await(long job, Object[] data);

    static native int operation(byte[] name);

    static native int named(int of, byte[] name);

    static native String text(int of, int value);

    static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /** Where the property says, beside the jar, or where the system looks. */
    private static void load() {
        String name = System.mapLibraryName("gecc_jni");
        String said = System.getProperty("gecc.jni");
        if (said != null) {
            File file = new File(said);
            System.load((file.isDirectory() ? new File(file, name) : file).getAbsolutePath());
            return;
        }
        File beside = beside(name);
        if (beside != null && beside.isFile()) {
            System.load(beside.getAbsolutePath());
            return;
        }
        try {
            System.loadLibrary("gecc_jni");
        } catch (UnsatisfiedLinkError e) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError(
                    "gecc: " + name + " is not beside the jar (" + beside + "), not where Java looks for native libraries,"
                            + " or cannot be loaded, and the property gecc.jni is not set: " + e.getMessage());
            error.initCause(e);
            throw error;
        }
    }

    /** A file in the folder of the jar, or of the classes; null: they are in none. */
    private static File beside(String name) {
        try {
            CodeSource source = Native.class.getProtectionDomain().getCodeSource();
            return source == null ? null : new File(new File(source.getLocation().toURI()).getParentFile(), name);
        } catch (java.net.URISyntaxException | IllegalArgumentException | SecurityException e) {
            return null; // not from a file: there is no folder to look in
        }
    }

    static {
        load();
    }
}
