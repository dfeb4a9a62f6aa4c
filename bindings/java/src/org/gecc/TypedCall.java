package org.gecc;

import java.util.concurrent.CompletableFuture;

/**
 * A call of a typed function, which nothing runs before {@link #run} or {@link #submit}.
 *
 * @param <R> what it gives
 */
public abstract class TypedCall<R> {
    final Call call;

    TypedCall(Call call) {
        this.call = call;
    }

    abstract R result(Call.Result result);

    /** Run it, for as many rows as its columns have, with results in new memory. */
    public final R run(Context context) {
        return result(call.run(context));
    }

    /** Have it run while this thread goes on: see {@link Call#submit}. */
    public final CompletableFuture<R> submit(Context context) {
        return call.submit(context).thenApply(this::result);
    }
}
