// Measure says what a call costs over C's, and whether memory stays flat: go run ./internal/measure [CALLS].
//
// One row and 4,096 of ec.validate on secp256k1 and of digest, on a thread of the CPU, from the same memory; medians of
// 201 rounds that alternate. C's results are in memory that is there, Go's in new memory or, with Into, in that of the
// last.
package main

/*
#include <gecc/gecc.h>
#include <stdlib.h>

static gecc_context *open_one(void) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context = NULL;
    config.backend = "cpu";
    config.threads = 1;
    return gecc_open(&context, &config) == GECC_OK ? context : NULL;
}

static int validate(gecc_context *context, size_t calls, size_t rows, uint8_t *status, const uint8_t *points) {
    int failed = 0;
    for (size_t i = 0; i < calls; i++)
        failed |= gecc_ec_validate(context, GECC_SECP256K1, gecc_out_packed(status, 1), gecc_rows_packed(points, 65),
                                   rows, NULL) != GECC_OK;
    return failed;
}

static int digest(gecc_context *context, size_t calls, size_t rows, uint8_t *digests, uint8_t *status,
                  const uint8_t *messages) {
    int failed = 0;
    for (size_t i = 0; i < calls; i++)
        failed |= gecc_digest(context, GECC_SHA256, gecc_out_packed(digests, 32), gecc_out_packed(status, 1),
                              gecc_rows_packed(messages, 32), rows, NULL) != GECC_OK;
    return failed;
}
*/
import "C"

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"gecc"
)

func residentKiB() (kib int) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		log.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	fmt.Sscan(after, &kib)
	return kib
}

func median(values []float64) float64 {
	sort.Float64s(values)
	return values[len(values)/2]
}

func compare(what string, rows int, inC func(calls int) bool, inGo func() bool) {
	var c, g []float64
	calls := 1000/rows + 3
	for round := 0; round < 201; round++ {
		start := time.Now()
		isGood := inC(calls)
		c = append(c, float64(time.Since(start).Nanoseconds())/float64(calls))
		start = time.Now()
		for i := 0; i < calls; i++ {
			isGood = inGo() && isGood
		}
		g = append(g, float64(time.Since(start).Nanoseconds())/float64(calls))
		if !isGood {
			log.Fatal(what, " failed")
		}
	}
	inner, outer := median(c), median(g)
	fmt.Printf("%s, %d rows: C %.0f ns a call, Go %.0f ns, %+.0f ns\n", what, rows, inner, outer, outer-inner)
}

func address(data []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(&data[0])) }

func main() {
	calls := 1000000
	if len(os.Args) > 1 {
		var err error
		if calls, err = strconv.Atoi(os.Args[1]); err != nil {
			log.Fatal(err)
		}
	}
	in, err := gecc.Open(&gecc.Config{Backend: "cpu", Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	inC := C.open_one()
	if inC == nil {
		log.Fatal("no context in C")
	}
	defer C.gecc_close(inC)

	messages := bytes.Repeat([]byte{5}, 32*4096)
	public, err := gecc.ECPublicKey(gecc.Secp256k1, gecc.Packed(messages, 32), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	for _, rows := range []int{1, 4096} {
		points, texts := public.Out.Bytes()[:65*rows], messages[:32*rows]
		status, digests := make([]byte, rows), make([]byte, 32*rows)
		compare("ec.validate", rows,
			func(calls int) bool {
				return C.validate(inC, C.size_t(calls), C.size_t(rows), address(status), address(points)) == 0
			},
			func() bool {
				status, err := gecc.ECValidate(gecc.Secp256k1, gecc.Packed(points, 65), nil).Run(in)
				return err == nil && status[rows-1] == gecc.StatusOK
			})
		digest := func(calls int) bool {
			return C.digest(inC, C.size_t(calls), C.size_t(rows), address(digests), address(status), address(texts)) == 0
		}
		var earlier gecc.DigestResult
		call := func(call gecc.Call[gecc.DigestResult]) bool {
			result, err := call.Run(in)
			earlier = result
			return err == nil && result.Status[rows-1] == gecc.StatusOK
		}
		compare("digest", rows, digest, func() bool {
			return call(gecc.Digest(gecc.SHA256, gecc.Packed(texts, 32), nil))
		})
		compare("digest with Into", rows, digest, func() bool {
			return call(gecc.Digest(gecc.SHA256, gecc.Packed(texts, 32), nil).Into(earlier))
		})
	}

	key := gecc.Packed(messages[:32], 32)
	run := func(calls int) {
		for i := 0; i < calls; i++ {
			if _, err := gecc.ECPublicKey(gecc.Secp256k1, key, nil).Run(in); err != nil {
				log.Fatal(err)
			}
		}
	}
	run(calls / 10)
	before := residentKiB()
	run(calls)
	fmt.Printf("%d calls of one row: memory from %d to %d KiB\n", calls, before, residentKiB())
}
