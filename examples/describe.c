/* What the library says of its operations, and one of them run by its name: what a binding is made from. */
#include <gecc/gecc.h>
#include <stdio.h>

static void print_column(const gecc_operation *operation, const gecc_column *column,
                         const gecc_parameters *parameters) {
    gecc_widths widths = gecc_column_widths(operation, column, parameters, NULL);
    printf("    %s %-12s %-13s %s%s", column->is_output ? "out" : "in ", column->name, gecc_kind_name(column->kind),
           column->text, column->is_optional ? " (optional)" : "");
    if (widths.most <= 1000)
        printf(", %zu to %zu bytes", widths.least, widths.most);
    printf("\n");
}

static void print(const gecc_operation *operation) {
    static const uint8_t seven[16] = {[15] = 7};
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    const gecc_column *column;
    parameters.curve = operation->curves >> GECC_P256 & 1 ? GECC_P256 : GECC_SM2;
    parameters.hash = GECC_SHA256;
    parameters.modulus = (gecc_modulus){seven, sizeof seven};
    printf("%s: %s\n", operation->name, operation->text);
    for (size_t i = 0; (column = gecc_operation_input(operation, i)) != NULL; i++)
        print_column(operation, column, &parameters);
    for (size_t i = 0; (column = gecc_operation_output(operation, i)) != NULL; i++)
        print_column(operation, column, &parameters);
}

int main(void) {
    const gecc_operation *operation;
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++)
        print(operation);

    /* 2 + 3 modulo 7. */
    static const uint8_t modulus[16] = {[15] = 7}, a[16] = {[15] = 2}, b[16] = {[15] = 3};
    uint8_t sum[16], status;
    const gecc_rows inputs[] = {gecc_rows_same(a, 16), gecc_rows_same(b, 16)};
    const gecc_out outputs[] = {gecc_out_packed(sum, 16)};
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.modulus = (gecc_modulus){modulus, 16};
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK)
        return 1;
    gecc_result result = gecc_run(context, gecc_operation_find("mod.add"), &parameters, outputs,
                                  gecc_out_packed(&status, 1), inputs, 1, NULL);
    printf("mod.add: %s, %d\n", result == GECC_OK ? gecc_item_text(status) : gecc_error_text(), sum[15]);
    gecc_close(context);
    return result != GECC_OK;
}
