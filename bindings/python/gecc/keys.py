"""Keys as programs keep them: JSON Web Keys and sets of them, PEM with keys or certificates, DER, lines of OpenSSH.

    keys = {key.name: key for key in gecc.keys.load("jwks.json")}

The command-line tool reads the file, as `gecc keys` does: its readers are C, strict and fuzzed. Private keys stay in the tool; of
one its public key comes out.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import warnings
from dataclasses import dataclass
from typing import Optional, Union

from ._errors import Unsupported

__all__ = ["Key", "load"]


@dataclass(frozen=True)
class Key:
    """One public key of a file."""

    #: Its name in a JSON Web Key.
    kid: Optional[str]
    #: Its name by RFC 7638; None: JSON Web Keys do not have its curve.
    thumbprint: Optional[str]
    #: As gecc.CURVES has it; None: gecc does not have keys of its kind.
    curve: Optional[str]
    #: "ed25519" or "x25519", on Curve25519.
    scheme: Optional[str]
    #: An uncompressed point, or on Curve25519 32 bytes; empty where there is no curve.
    public_key: bytes
    #: Why it is not for signatures; None: it is.
    reason: Optional[str]

    @property
    def name(self) -> Optional[str]:
        """`kid`, or the thumbprint of a key that has none."""
        return self.thumbprint if self.kid is None else self.kid


def load(file: Union[str, os.PathLike[str]]) -> list[Key]:
    """The public keys of a file, in its order, those too that have a `reason` not to be used, as keys of other kinds have; that others
    may read a private key in it is a warning. ValueError: the file has no keys, or one that cannot be read; OSError: it cannot be opened."""
    from . import _program  # not with the package: the console script runs it as a program

    tool = _program.TOOL if os.path.exists(_program.TOOL) else shutil.which("gecc")
    if tool is None:
        raise Unsupported("keys are read by the tool gecc, which this package was built without")
    path = os.path.abspath(file)
    if not stat.S_ISFIFO(os.stat(path).st_mode):
        with open(path, "rb"):  # says why it cannot be opened
            pass
    done = subprocess.run([tool, "keys", "--output-format", "jsonl", "--", path], capture_output=True, stdin=subprocess.DEVNULL,
                          check=False)  # fmt: skip
    said = done.stderr.decode(errors="replace").strip().removeprefix("gecc: ")
    if done.returncode:
        raise ValueError(said)
    if said:
        warnings.warn(said, stacklevel=2)
    return [Key(row["kid"], row["thumbprint"], row["curve"], row["scheme"], bytes.fromhex(row["pub"] or ""), row["reason"])
            for row in map(json.loads, done.stdout.splitlines())]  # fmt: skip
