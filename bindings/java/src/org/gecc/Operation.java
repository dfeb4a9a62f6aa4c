package org.gecc;

/** An operation as the generated table has it, and its number in the library that is loaded. */
final class Operation {
    final String name;
    final String[] inputs;
    final boolean[] isOptional;
    final String[] outputs;
    private int number = -1;

    /** An input's name that ends with a question mark is of one that may be left out. */
    Operation(String name, String[] inputs, String... outputs) {
        this.name = name;
        this.inputs = new String[inputs.length];
        this.outputs = outputs;
        isOptional = new boolean[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            isOptional[i] = inputs[i].endsWith("?");
            this.inputs[i] = isOptional[i] ? inputs[i].substring(0, inputs[i].length() - 1) : inputs[i];
        }
    }

    int number() {
        if (number < 0) {
            int found = Native.operation(Native.utf8(name));
            if (found < 0) {
                throw GeccException.argument("operation: the library has no %s", name);
            }
            number = found;
        }
        return number;
    }
}
