/* Rows that are in a GPU's memory and stay there: the columns are device pointers, and the call follows a stream. */
#include <cuda_runtime.h>
#include <gecc/gecc.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 100000 };

int main(void) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context;
    uint8_t *scalar, *point, *status, *host;
    cudaStream_t stream;
    int good = 0;
    config.backend = "cuda"; /* with "auto" it works as well: rows in device memory are the GPU's */
    if (gecc_open(&context, &config) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 77; /* there is no GPU here */
    }
    if (cudaStreamCreate(&stream) != cudaSuccess || cudaMalloc((void **)&scalar, COUNT * 32) != cudaSuccess ||
        cudaMalloc((void **)&point, COUNT * 64) != cudaSuccess || cudaMalloc((void **)&status, COUNT) != cudaSuccess ||
        gecc_memory_allocate(context, (void **)&host, COUNT * 32) != GECC_OK)
        return 1;

    /* Pinned memory of the library's moves at the speed of the bus. */
    memset(host, 0, COUNT * 32);
    for (uint32_t i = 0; i < COUNT; i++)
        memcpy(host + 32 * i, &i, sizeof i);
    cudaMemcpyAsync(scalar, host, COUNT * 32, cudaMemcpyHostToDevice, stream);

    /* The scalars are read when what is in the stream now is done. The call returns when the results are there. */
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    options.stream = stream;
    options.flags = GECC_PUBLIC_SCALARS;
    options.point_format = GECC_POINT_RAW;
    options.report = &report;
    if (gecc_ec_mul_base(context, GECC_P256, gecc_out_packed(point, 64), gecc_out_packed(status, 1),
                         gecc_rows_packed(scalar, 32), COUNT, &options) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 1;
    }
    cudaMemcpy(host, status, COUNT, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        good += host[i] == GECC_ITEM_OK;
    printf("%d of %d multiples of G on %s (0 * G has no encoding)\n", good, COUNT, report.detail);
    gecc_memory_free(context, host);
    cudaFree(scalar);
    cudaFree(point);
    cudaFree(status);
    cudaStreamDestroy(stream);
    gecc_close(context);
    return good != COUNT - 1;
}
