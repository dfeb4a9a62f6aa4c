"""Arrays in the memory of a GPU, on a machine that has one, with CuPy: used where they are, and answered as the CPU does."""

import numpy as np
import pytest
from conftest import Signed

import gecc

cupy = pytest.importorskip("cupy")


def why_not():
    found = {backend.name: backend for backend in gecc.Context(backend="cpu").backends()}
    return "there is no CUDA backend" if "cuda" not in found else found["cuda"].reason


try:
    CUDA = gecc.Context(backend="cuda")
except gecc.Error:
    pytest.skip(f"no GPU: {why_not()}", allow_module_level=True)

CURVES = ("secp256k1", "P-256", "P-384", "SM2")


@pytest.fixture(scope="module", params=CURVES)
def rows(request):
    """Enough rows that several pieces of the GPU's work are under way."""
    return Signed(request.param, n=5000)


class OnlyDlpack:
    """An array that says where it is by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("wrap", [lambda array: array, OnlyDlpack])
def test_columns_on_the_device(rows, wrap):
    report = gecc.Report()
    columns = [wrap(cupy.asarray(array)) for array in (rows.public_key, rows.wrong, rows.signature)]
    assert CUDA.ecdsa.verify(rows.curve, *columns, report=report).tolist() == rows.expected
    assert report.backend == "cuda"


def test_a_column_on_the_host_among_them(rows):
    status = CUDA.ecdsa.verify(rows.curve, cupy.asarray(rows.public_key), rows.wrong, cupy.asarray(rows.signature))
    assert status.tolist() == rows.expected


def test_fields_of_wide_rows(rows):
    """Each column a part of the rows of one array."""
    wide = cupy.asarray(np.concatenate([rows.signature, rows.wrong, rows.public_key], axis=1))
    ends = np.cumsum([rows.signature.shape[1], rows.wrong.shape[1]])
    signature, digest, public_key = wide[:, : ends[0]], wide[:, ends[0] : ends[1]], wide[:, ends[1] :]
    assert CUDA.ecdsa.verify(rows.curve, public_key, digest, signature).tolist() == rows.expected


def test_one_value_for_all_rows(rows):
    digest = cupy.asarray(rows.digest[0])
    found = CUDA.ecdsa.verify(rows.curve, cupy.asarray(rows.public_key), digest, cupy.asarray(rows.signature))
    assert found.tolist() == [gecc.Status.OK] + [gecc.Status.INVALID] * (rows.n - 1)


def test_outputs_on_the_device(rows):
    """Signatures made of device memory into device memory, a byte between the statuses, and keys recovered from them."""
    signature, recovery_id = cupy.empty(rows.signature.shape, cupy.uint8), cupy.empty((rows.n, 1), cupy.uint8)
    status = cupy.zeros((rows.n, 2), cupy.uint8)
    given = (signature, recovery_id, status[:, 0])
    found = CUDA.ecdsa.sign(rows.curve, cupy.asarray(rows.private_key), cupy.asarray(rows.digest), out=given)
    assert found.signature is signature
    assert cupy.asnumpy(signature).tolist() == rows.signature.tolist()
    assert cupy.asnumpy(recovery_id).ravel().tolist() == rows.recovery_id.ravel().tolist()
    assert cupy.asnumpy(status).tolist() == [[gecc.Status.OK, 0]] * rows.n
    recovered = CUDA.ecdsa.recover(rows.curve, cupy.asarray(rows.digest), signature, recovery_id).public_key
    assert recovered.tolist() == rows.public_key.tolist()


def test_a_stream_is_waited_for(rows):
    """The digests are written by work that is under way when the call is made."""
    stream = cupy.cuda.Stream(non_blocking=True)
    key, signature, digest = cupy.asarray(rows.public_key), cupy.asarray(rows.signature), cupy.zeros_like(rows.digest)
    right = cupy.asarray(rows.digest)
    slow = cupy.random.random((2000, 2000))
    cupy.cuda.Device().synchronize()
    with stream:
        for _ in range(20):
            slow = slow @ slow
            slow /= slow.max()
        digest[:] = right
        found = CUDA.ecdsa.verify(rows.curve, key, digest, signature, stream=stream.ptr)
    assert found.tolist() == [gecc.Status.OK] * rows.n


def test_jobs_on_the_device(rows):
    columns = [cupy.asarray(array) for array in (rows.public_key, rows.wrong, rows.signature)]
    jobs = [CUDA.ecdsa.verify.submit(rows.curve, *columns) for _ in range(4)]
    assert [job.result().tolist() for job in jobs] == [rows.expected] * 4


def test_any_context_with_a_gpu_reads_them(rows):
    with gecc.Context() as context:
        status = context.ecdsa.verify(rows.curve, *map(cupy.asarray, (rows.public_key, rows.wrong, rows.signature)))
        assert status.tolist() == rows.expected


def test_little_endian_residues():
    random = np.random.default_rng(5)
    a, b = (random.integers(0, 256, (3000, 32), dtype=np.uint8) for _ in range(2))
    modulus = 2**256 - 189
    found = CUDA.mod.mul(modulus.to_bytes(32, "big"), cupy.asarray(a), cupy.asarray(b), little_endian=True).out
    for x, y, z in zip(a, b, found):
        product = int.from_bytes(x.tobytes(), "little") * int.from_bytes(y.tobytes(), "little") % modulus
        assert int.from_bytes(z.tobytes(), "little") == product


def test_digests_of_messages_on_the_device():
    messages = cupy.asarray(np.arange(4000 * 70, dtype=np.uint32).astype(np.uint8).reshape(4000, 70))
    expected = gecc.Context(backend="cpu").digest("keccak256", cupy.asnumpy(messages)).digest
    assert CUDA.digest("keccak256", messages).digest.tolist() == expected.tolist()


def test_torch_by_dlpack(rows):
    torch = pytest.importorskip("torch")
    columns = [torch.from_numpy(array).cuda() for array in (rows.public_key, rows.wrong, rows.signature)]
    assert CUDA.ecdsa.verify(rows.curve, *columns).tolist() == rows.expected
