package org.gecc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What calls run in: threads, tables, GPUs. Any number of threads may use one. After {@link #close} calls are refused;
 * what it has is freed when the last call, job and set of keys that uses it is through.
 */
public final class Context implements AutoCloseable {
    private final AtomicLong handle;
    /** Waits for jobs, in their order; its thread ends when there was none for a while. */
    final Executor waiter;

    private Context(long handle) {
        this.handle = new AtomicLong(handle);
        ThreadPoolExecutor one = new ThreadPoolExecutor(1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                task -> {
            Thread thread = new Thread(task, "gecc-jobs");
            thread.setDaemon(true);
            return thread;
        });
        one.allowCoreThreadTimeOut(true);
        waiter = one;
    }

    /** One as gecc chooses. */
    public static Context open() {
        return open(new Config());
    }

    /** One as the caller chooses; refused where a backend is asked for that is not there. */
    public static Context open(Config config) {
        long[] numbers = GeccException.notNull(config, "config").numbers.clone();
        return new Context(Native.open(Native.utf8(config.backend), Native.utf8(config.device), numbers));
    }

    long handle() {
        long open = handle.get();
        if (open == 0) {
            throw GeccException.argument("context: it is closed");
        }
        return open;
    }

    /** The backends that the library knows, available or not. */
    public List<Backend> backends() {
        List<Backend> found = new ArrayList<>();
        for (byte[] one; (one = Native.backend(handle(), found.size())) != null; ) {
            found.add(new Backend(new String(one, StandardCharsets.UTF_8).split("\n", -1)));
        }
        return found;
    }

    /** Refuse calls from now on. Once is enough. */
    @Override
    public void close() {
        long open = handle.getAndSet(0);
        if (open != 0) {
            Native.close(open);
        }
    }

    /** A place where calls may run. */
    public static final class Backend {
        /** {@code "cpu"}, {@code "cuda"}. */
        public final String name;
        /** {@code "portable-adx"}, {@code "portable-c"}, {@code "ifma"}, a GPU's name. */
        public final String device;
        /** Why it cannot be used. */
        public final String reason;
        /** Whether it can be used. */
        public final boolean isAvailable;
        /** Whether the context uses it. */
        public final boolean isChosen;
        /** Threads of the CPU. */
        public final int threads;

        private Backend(String[] lines) {
            name = lines[0];
            device = lines[1];
            reason = lines[2];
            isAvailable = !lines[3].equals("0");
            isChosen = !lines[4].equals("0");
            threads = Integer.parseInt(lines[5]);
        }
    }
}
