/* Sums of multiples of points: a commitment to each of some vectors, under generators that are multiples of G here. */
#include <gecc/gecc.h>
#include <stdio.h>
#include <string.h>

enum { GENERATORS = 5, VECTORS = 3, L = 32, POINT = 33 };

int main(void) {
    /* Vectors of 2, 5 and no coordinates, all behind each other; terms[i] is how many vector i has. */
    static const size_t terms[VECTORS] = {2, GENERATORS, 0};
    uint8_t number[GENERATORS][L] = {{0}}, generator[GENERATORS][POINT], statuses[GENERATORS];
    uint8_t k[VECTORS * GENERATORS][L] = {{0}}, point[VECTORS * GENERATORS][POINT], sum[VECTORS][POINT];
    uint32_t k_widths[VECTORS], point_widths[VECTORS];
    uint64_t k_offsets[VECTORS], point_offsets[VECTORS];
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 1;
    }

    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_COMPRESSED;
    for (int i = 0; i < GENERATORS; i++)
        number[i][L - 1] = (uint8_t)(i + 1);
    gecc_out status = gecc_out_packed(statuses, 1);
    gecc_result result = gecc_ec_mul_base(context, GECC_P256, gecc_out_packed(generator, POINT), status,
                                          gecc_rows_packed(number, L), GENERATORS, &options);

    /* A row of either column is a group of terms: so many bytes, from there on. */
    for (size_t i = 0, term = 0; i < VECTORS; i++) {
        k_offsets[i] = term * L;
        k_widths[i] = (uint32_t)(terms[i] * L);
        point_offsets[i] = term * POINT;
        point_widths[i] = (uint32_t)(terms[i] * POINT);
        for (size_t j = 0; j < terms[i]; j++, term++) {
            k[term][L - 1] = (uint8_t)(10 * i + j + 1);
            memcpy(point[term], generator[j], POINT);
        }
    }
    gecc_rows scalars = {k, 0, 0, k_widths, k_offsets}, points = {point, 0, 0, point_widths, point_offsets};
    if (result == GECC_OK)
        result =
            gecc_ec_msm(context, GECC_P256, gecc_out_packed(sum, POINT), status, scalars, points, VECTORS, &options);
    if (result != GECC_OK)
        fprintf(stderr, "%s\n", gecc_error_text());
    for (int i = 0; i < VECTORS && result == GECC_OK; i++) {
        for (int j = 0; j < POINT; j++)
            printf("%02x", sum[i][j]);
        printf("  %s\n", gecc_item_text(statuses[i]));
    }
    gecc_close(context);
    const int good = statuses[0] == GECC_ITEM_OK && statuses[1] == GECC_ITEM_OK && statuses[2] == GECC_ITEM_INFINITY;
    return result == GECC_OK && good ? 0 : 1;
}
