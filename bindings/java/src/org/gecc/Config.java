// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** How a context is opened; what is not said is as gecc chooses. */
public final class Config {
    String backend;
    String device;
    final long[] numbers = new long[5];

    /** "auto" (or NULL), "cpu", "cuda". "auto": the CPU and, where there is one, the GPU; each call takes what is faster for it, as earlier calls showed, and the CPU does what the GPU fails to do; or what the environment variable GECC_BACKEND names. */
    public Config backend(String backend) {
        this.backend = backend;
        return this;
    }

    /** Of the CPU, and that copy rows for a GPU (16 at most); 0: one for each processor. */
    public Config threads(long threads) {
        numbers[0] = GeccException.notNegative(threads, "threads");
        return this;
    }

    /** The GPUs that share jobs, by their numbers among those that CUDA_VISIBLE_DEVICES leaves: "0", or "0,2", or "all" (or NULL). By number all have to be there and are opened by gecc_open; of "all", one is, the others when rows pay for them. A number given twice is two GPUs to gecc. */
    public Config device(String device) {
        this.device = device;
        return this;
    }

    /** The most that tables of multiples of G take of the GPU's memory, all curves and all contexts of this process together; 0: a quarter of it. */
    public Config deviceTableBytes(long deviceTableBytes) {
        numbers[1] = GeccException.notNegative(deviceTableBytes, "deviceTableBytes");
        return this;
    }

    /** The most that tables of keys that repeat within a call take, with what finds such keys; 0: a quarter of a GiB, on a GPU a quarter of what is free, and 20 bytes a row of the host's; 1: none. */
    public Config keyTableBytes(long keyTableBytes) {
        numbers[2] = GeccException.notNegative(keyTableBytes, "keyTableBytes");
        return this;
    }

    /** The most pinned memory that rows pass through on their way to and from each GPU, but for single rows that need more, and 512 KiB at least; 0: 1 GiB. */
    public Config stagingBytes(long stagingBytes) {
        numbers[3] = GeccException.notNegative(stagingBytes, "stagingBytes");
        return this;
    }

    /** The most that tables of public keys take which are kept from call to call, of each place that has a copy; 0: none are kept. A key gets one when it has come in 64 rows with good signatures, as long as there is room, of which each curve takes half of what is left. Not for submitted jobs, rows in a GPU's memory and little-endian rows. */
    public Config keyCacheBytes(long keyCacheBytes) {
        numbers[4] = GeccException.notNegative(keyCacheBytes, "keyCacheBytes");
        return this;
    }
}
