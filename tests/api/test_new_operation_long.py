"""What it takes to add an operation: a copy of the sources gets one, out = -point, by four files and what tools/generate_abi.py
makes of them, by which its symbol is exported. It must then be described, run by the library by its name and by its typed function, and be part
of the checks of one backend against another.

Test: long
"""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ENTRY = """
OPERATION(EC_NEGATE, ec_negate, "ec.negate", CURVE, NONE, NONE, 0,
          IN(POINT, "point", "a point"), OUT(POINT, "out", "-point"), "negates a point")
"""
DECLARATION = """
/* out = -point. Public data. */
GECC_CALL gecc_result gecc_ec_negate(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status,
                                     gecc_rows point, size_t count, const gecc_options *options);
"""
FRONT = """
gecc_result gecc_ec_negate(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows point,
                           size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_EC_NEGATE, curve, &out, status, &point, count, options);
}
"""
PROGRAM = """
LANE_FUNCTION gecc_result ec_negate(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                    size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    chunk_read_points(&c, &job->in[0], c.m.points, 1);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        struct affine a = affine_load(c.m.points, i);
        a.y = fe_neg(a.y);
        affine_store(c.m.points, i, a);
    }
    chunk_write_points(&c);
    return GECC_OK;
}
"""
CALLER = r"""
#include <gecc/gecc.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    uint8_t key[32] = {[31] = 5}, points[3][33], status;
    const gecc_operation *operation = gecc_operation_find("ec.negate");
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_context *context;
    parameters.curve = GECC_P256;
    options.point_format = GECC_POINT_COMPRESSED;
    gecc_rows in = gecc_rows_packed(points[0], 33);
    gecc_out by_name = gecc_out_packed(points[1], 33), by_type = gecc_out_packed(points[2], 33), s = {&status, 1, NULL};
    if (!operation || gecc_open(&context, NULL) != GECC_OK ||
        gecc_ec_public_key(context, GECC_P256, gecc_out_packed(points[0], 33), s, gecc_rows_packed(key, 32), 1,
                           &options) != GECC_OK ||
        gecc_run(context, operation, &parameters, &by_name, s, &in, 1, &options) != GECC_OK ||
        gecc_ec_negate(context, GECC_P256, by_type, s, in, 1, &options) != GECC_OK)
        return 1;
    int right = memcmp(points[1], points[2], 33) == 0 && memcmp(points[0] + 1, points[1] + 1, 32) == 0 &&
                points[0][0] + points[1][0] == 5;
    printf("%s: %s, %s\n", operation->text, gecc_operation_input(operation, 0)->text, right ? "right" : "wrong");
    gecc_close(context);
    return !right;
}
"""


def before_last(text, mark, addition):
    at = text.rindex(mark)
    return text[:at] + addition.lstrip("\n") + "\n" + text[at:]


# What is added, file by file.
FILES = {
    "src/scheme/operations.def": lambda text: text.rstrip("\n") + ENTRY,
    "src/scheme/ec.h": lambda text: before_last(text, "#endif", PROGRAM),
    "include/gecc/ec.h": lambda text: before_last(text, "#ifdef __cplusplus", DECLARATION),
    "src/api/ec.c": lambda text: text + FRONT,
}


class NewOperation(unittest.TestCase):
    def test_four_files_add_an_operation(self):
        self.assertEqual(len(FILES), 4)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            copy = folder / "gecc"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
            for file, add in FILES.items():
                path = copy / file
                path.write_text(add(path.read_text(encoding="utf-8")), encoding="utf-8")
            self.run_command("python3", "-B", copy / "tools/generate_abi.py", copy)
            build = folder / "build"
            self.run_command("cmake", "-S", copy, "-B", build, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS=-O1",
                             "-DGECC_TESTS=OFF", "-DGECC_TOOL=OFF")  # fmt: skip
            self.run_command("cmake", "--build", build, "--target", "gecc", "gecc-gpu-check", "--parallel", "2")
            self.check_caller(folder, copy, build)
            self.check_backends(build)

    def run_command(self, *command):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        return done.stdout

    def check_caller(self, folder, copy, build):
        library = next(build.rglob("libgecc.so"))
        (folder / "caller.c").write_text(CALLER, encoding="utf-8")
        self.run_command("cc", "-Wall", "-Werror", f"-I{copy}/include", folder / "caller.c", "-o", folder / "caller",
                         f"-L{library.parent}", "-lgecc", f"-Wl,-rpath,{library.parent}")  # fmt: skip
        self.assertEqual(self.run_command(folder / "caller"), "negates a point: a point, right\n")

    def check_backends(self, build):
        """On every curve, in each format, one machine beside another; malformed rows, too."""
        text = self.run_command(build / "bin/gecc-gpu-check", "--backend-a", "cpu:portable-c", "--backend-b", "cpu",
                                "--conformance", "--rows", "500", "--filter", "ec.negate")  # fmt: skip
        lines = re.findall(r"^\S+ ec\.negate \w+", text, flags=re.MULTILINE)
        header = (ROOT / "include/gecc/curves.h").read_text(encoding="utf-8")
        curves = re.search(r"#define GECC_CURVE_LIST\(X\)(.*\\\n)*", header)[0].split("X(GECC_")[1:]
        self.assertEqual(len(lines), 4 * len(curves), text)
        self.assertRegex(text, r"conformance: \d{4,} rows, 0 mismatches")


if __name__ == "__main__":
    unittest.main()
