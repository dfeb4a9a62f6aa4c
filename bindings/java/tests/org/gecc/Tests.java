package org.gecc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;

/** Runs what is public and static in the classes of tests, and says how it went: a failure ends it with status 1. */
public final class Tests {
    private Tests() {}

    public static void main(String[] arguments) throws IllegalAccessException {
        int failed = 0;
        int passed = 0;
        for (Class<?> tests : new Class<?>[] {CasesTests.class, BehaviourTests.class}) {
            for (Method test : tests.getDeclaredMethods()) {
                if (!java.lang.reflect.Modifier.isPublic(test.getModifiers())) {
                    continue;
                }
                long start = System.nanoTime();
                try {
                    test.invoke(null);
                    passed++;
                    System.out.printf("%-55s ok %6.2f s%n", test.getName(), (System.nanoTime() - start) / 1e9);
                } catch (InvocationTargetException e) {
                    failed++;
                    System.out.println(test.getName() + " FAILED");
                    e.getCause().printStackTrace(System.out);
                }
            }
        }
        System.out.println(passed + " tests passed, " + failed + " failed");
        System.exit(failed > 0 || passed < 14 ? 1 : 0);
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void equal(Object found, Object expected, String what) {
        check(expected.equals(found), what + ": " + found + ", not " + expected);
    }

    /** That it is refused for an argument, in words that have this one. */
    static GeccException refused(String word, Callable<?> call) {
        Object given;
        try {
            given = call.call();
        } catch (GeccException e) {
            check(e.kind() == ErrorKind.ARGUMENT, "kind " + e.kind());
            check(e.getMessage().toLowerCase().contains(word.toLowerCase()), e.getMessage() + " has no " + word);
            return e;
        } catch (Exception e) {
            throw new AssertionError("another exception", e);
        }
        throw new AssertionError("not refused: " + word + ", but " + given);
    }
}
