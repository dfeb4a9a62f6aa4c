package org.gecc;

import static org.gecc.Tests.check;
import static org.gecc.Tests.equal;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The cases that every language reads, in the folder that the property gecc.cases names. */
final class CasesTests {
    private CasesTests() {}

    /** A call; its rows' cells are null where the column has ended. */
    private static final class Case {
        int line;
        String operation;
        Map<String, List<String>> options = new HashMap<>();
        List<String> inputs = new ArrayList<>();
        List<byte[][]> rows = new ArrayList<>();
        List<String> statuses = new ArrayList<>();
        List<byte[][]> results = new ArrayList<>();
        String error;
        String word;
        Keys keys;

        String option(String name) {
            return options.containsKey(name) ? options.get(name).get(0) : null;
        }

        byte[][] cells(String name) {
            int index = inputs.indexOf(name);
            return rows.stream().map(row -> row[index]).filter(cell -> cell != null).toArray(byte[][]::new);
        }

        /** A column, null where it is left out: of one width as it lies, an array or a direct buffer, else ragged. */
        Rows column(String name, boolean isDirect) {
            if (!inputs.contains(name)) {
                return null;
            }
            byte[][] cells = cells(name);
            int width = cells[0].length;
            if (width == 0 || !Arrays.stream(cells).allMatch(cell -> cell.length == width)) {
                return Rows.ragged(cells);
            }
            int size = width * cells.length;
            ByteBuffer bytes = isDirect ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
            for (byte[] cell : cells) {
                bytes.put(cell);
            }
            bytes.rewind();
            return isDirect ? Rows.packed(bytes, width) : Rows.packed(bytes.array(), width);
        }

        Call byName(boolean isDirect) {
            Call call = Call.named(operation);
            if (keys != null) {
                call.keys(keys);
            } else if (option("curve") != null) {
                call.curve(Curve.named(option("curve")));
            }
            if (option("hash") != null) {
                call.hash(Hash.named(option("hash")));
            }
            if (option("modulus") != null) {
                call.modulus(bytes(option("modulus")));
            }
            for (String flag : options.getOrDefault("flags", new ArrayList<>())) {
                call.flag(Flag.named(flag));
            }
            if (option("nonce_hash") != null) {
                call.nonceHash(Hash.named(option("nonce_hash")));
            }
            if (option("point_format") != null) {
                call.pointFormat(PointFormat.named(option("point_format")));
            }
            if (option("output_bytes") != null) {
                call.outputBytes(Integer.parseInt(option("output_bytes")));
            }
            for (String input : inputs) {
                call.column(input, column(input, isDirect));
            }
            return call;
        }

        /** The typed function's call; null: types cannot say it. */
        TypedCall<?> inTypes() throws ReflectiveOperationException {
            int dot = operation.indexOf('.');
            String family = dot < 0 ? "Gecc" : operation.substring(0, 1)
                    .toUpperCase(Locale.ROOT) + operation.substring(1, dot);
            String verb = camel(operation.substring(dot + 1));
            for (Method method : Class.forName("org.gecc." + family).getMethods()) {
                if (method.getName().equals(verb) || method.getName().equals(verb + "_")) {
                    Set<String> left = new HashSet<>(inputs);
                    List<Object> arguments = new ArrayList<>();
                    for (Parameter parameter : method.getParameters()) {
                        arguments.add(argument(parameter, left));
                    }
                    TypedCall<?> call = (TypedCall<?>) invoke(method, null, arguments.toArray());
                    for (String input : left) {
                        if (!set(call, camel(input), column(input, false))) {
                            return null;
                        }
                    }
                    for (String flag : options.getOrDefault("flags", new ArrayList<>())) {
                        if (!set(call, camel(flag))) {
                            return null;
                        }
                    }
                    boolean isSaid = (option("nonce_hash") == null
                            || set(call, "nonceHash", Hash.named(option("nonce_hash"))))
                            && (option("point_format") == null
                                    || set(call, "pointFormat", PointFormat.named(option("point_format"))))
                            && (option("output_bytes") == null
                                    || set(call, "outputBytes", Integer.parseInt(option("output_bytes"))));
                    return isSaid ? call : null;
                }
            }
            throw new AssertionError(operation + " has no typed function");
        }

        private Object argument(Parameter parameter, Set<String> left) {
            Class<?> type = parameter.getType();
            if (type == Curve.class) {
                return Curve.named(option("curve"));
            } else if (type == Hash.class) {
                return Hash.named(option("hash"));
            } else if (type == Keys.class) {
                return keys;
            } else if (type == byte[].class) {
                return bytes(option("modulus"));
            }
            for (String input : inputs) {
                if (camel(input).equals(parameter.getName())) {
                    left.remove(input);
                    return column(input, false);
                }
            }
            return null; // a column that is missing
        }

        void compare(String how, List<Column> columns, Statuses found) {
            equal(found.size(), rows.size(), "rows");
            for (int i = 0; i < rows.size(); i++) {
                String at = "line " + line + ", " + operation + " " + how + ", row " + i;
                equal(found.get(i).name(), statuses.get(i), at);
                boolean isOk = statuses.get(i).equals("OK");
                check(isOk == found.isOk(i), at);
                for (int j = 0; j < columns.size() && (!isOk || j < results.get(i).length); j++) {
                    byte[] row = columns.get(j).row(i);
                    check(Arrays.equals(row, isOk ? results.get(i)[j] : new byte[row.length]), at + ": another result");
                }
            }
        }
    }

    private static Object invoke(Method method, Object on, Object... arguments) throws ReflectiveOperationException {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof GeccException) {
                throw (GeccException) e.getCause();
            }
            throw e;
        }
    }

    /** Call a setter of a typed call; false: it has none of that name. */
    private static boolean set(TypedCall<?> call, String name, Object... value) throws ReflectiveOperationException {
        for (Method method : call.getClass().getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == value.length) {
                invoke(method, call, value);
                return true;
            }
        }
        return false;
    }

    /** Columns of the result of a typed call, in their order; statuses are its last field. */
    private static List<Column> columns(Object result) throws ReflectiveOperationException {
        List<Column> columns = new ArrayList<>();
        for (java.lang.reflect.Field field : result.getClass().getFields()) {
            if (field.getType() == Column.class) {
                columns.add((Column) field.get(result));
            }
        }
        return columns;
    }

    private static Statuses statuses(Object result) throws ReflectiveOperationException {
        return result instanceof Statuses ? (Statuses) result : (Statuses) result.getClass().getField("statuses")
                .get(result);
    }

    private static String camel(String name) {
        StringBuilder made = new StringBuilder();
        for (String part : name.split("_")) {
            made.append(made.length() == 0 ? part : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
        }
        return made.toString();
    }

    private static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.equals("-") ? 0 : hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }

    private static List<Case> read(String name) throws IOException {
        List<Case> cases = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(Paths.get(System.getProperty("gecc.cases"), name),
                StandardCharsets.UTF_8)) {
            number++;
            List<String> words = Arrays.asList(line.trim().split(" "));
            Case last = cases.isEmpty() ? null : cases.get(cases.size() - 1);
            String key = words.get(0);
            List<String> rest = words.subList(1, words.size());
            if (key.isEmpty() || key.startsWith("#") || key.equals("outputs")) {
                continue;
            } else if (key.equals("case")) {
                last = new Case();
                last.line = number;
                last.operation = rest.get(0);
                cases.add(last);
            } else if (Arrays.asList("curve", "hash", "modulus", "flags", "nonce_hash", "point_format", "output_bytes").contains(key)) {
                last.options.put(key, rest);
            } else if (key.equals("inputs")) {
                last.inputs = rest;
            } else if (key.equals("row")) {
                int end = rest.contains(":") ? rest.indexOf(":") : rest.size();
                last.rows.add(rest.subList(0, end).stream().map(cell -> cell.equals(".") ? null : bytes(cell))
                        .toArray(byte[][]::new));
                if (end < rest.size()) {
                    last.statuses.add(rest.get(end + 1));
                    last.results.add(rest.subList(end + 2, rest.size()).stream().map(CasesTests::bytes)
                            .toArray(byte[][]::new));
                }
            } else if (key.equals("error")) {
                last.error = rest.get(0);
                last.word = rest.get(1);
            } else {
                throw new AssertionError(name + ", line " + number + ": " + line);
            }
        }
        check(cases.size() > 10, "cases");
        return cases;
    }

    public static void knownAnswers() throws Exception {
        Set<String> seen = new HashSet<>();
        int withKeys = 0;
        try (Context context = Context.open()) {
            for (Case one : read("known_answers.txt")) {
                Call.Result result = one.byName(false).run(context);
                one.compare("by its name", result.columns(), result.statuses());
                result = one.byName(true).submit(context).get();
                one.compare("as a job on direct buffers", result.columns(), result.statuses());
                Object typed = one.inTypes().run(context);
                one.compare("in types", columns(typed), statuses(typed));
                seen.add(one.operation);
                withKeys += keys(context, one) ? 1 : 0;
            }
        }
        for (Operation operation : Operations.ALL) {
            check(seen.contains(operation.name.replaceFirst("_keys$", "")), operation.name + " has no case");
        }
        check(withKeys >= 30, withKeys + " cases with keys");
    }

    /** The case's rows by the operation on numbers of keys, where there is one. */
    private static boolean keys(Context context, Case one) throws Exception {
        String name = one.operation + "_keys";
        if (Arrays.stream(Operations.ALL).noneMatch(operation -> operation.name.equals(name))) {
            return false;
        }
        Map<String, Curve> curves = new HashMap<>();
        curves.put("sm2", Curve.SM2);
        curves.put("schnorr", Curve.SECP256K1);
        curves.put("ed25519", Curve.CURVE25519);
        String ofKeys = one.operation.equals("ec.mul_add") ? "point" : "public_key";
        Curve curve = curves.get(one.operation.substring(0, one.operation.indexOf('.')));
        Case own = new Case();
        own.line = one.line;
        own.operation = name;
        own.options = new HashMap<>(one.options);
        List<String> flags = new ArrayList<>(one.options.getOrDefault("flags", new ArrayList<>()));
        flags.remove("public_scalars");
        own.options.put("flags", flags);
        int place = one.inputs.indexOf(ofKeys);
        own.inputs = new ArrayList<>(one.inputs);
        own.inputs.set(place, "key");
        List<byte[]> points = new ArrayList<>();
        for (int i = 0; i < one.rows.size(); i++) {
            if (!one.statuses.get(i).equals("MALFORMED_WIDTH")) {
                byte[][] row = one.rows.get(i).clone();
                points.add(row[place]);
                row[place] = new byte[] {(byte) (points.size() - 1), 0, 0, 0};
                own.rows.add(row);
                own.statuses.add(one.statuses.get(i));
                own.results.add(one.results.get(i));
            }
        }
        Rows rows = Rows.ragged(points.toArray(new byte[0][]));
        curve = curve == null ? Curve.named(one.option("curve")) : curve;
        try (Keys keys = Keys.open(context, curve, rows, new KeysConfig().window(4))) {
            own.keys = keys;
            Object typed = own.inTypes().run(context);
            own.compare("with keys, in types", columns(typed), statuses(typed));
            Call.Result result = own.byName(true).run(context);
            own.compare("with keys, by its name", result.columns(), result.statuses());
        }
        return true;
    }

    public static void misuse() throws Exception {
        int inTypes = 0;
        try (Context context = Context.open()) {
            for (Case one : read("misuse.txt")) {
                for (boolean isDirect : new boolean[] {false, true}) {
                    GeccException e = Tests.refused(one.word, () -> one.byName(isDirect).run(context));
                    equal("ERROR_" + e.kind(), one.error, "line " + one.line);
                }
                TypedCall<?> typed = one.inTypes();
                if (typed != null) {
                    Tests.refused(one.word, () -> typed.run(context));
                    inTypes++;
                }
            }
        }
        check(inTypes >= 10, inTypes + " of them in types");
    }
}
