"""`make reading-files`: put the files of Pyodide into static/reading. With them the page /read runs Python.

npm fetches the package from the registry that it is set up with. TARBALL=FILE takes a package that lies here already.
Either is unpacked only if it is, byte for byte, the one that INTEGRITY names.
"""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "pyodide@314.0.7"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The sha512 of the package, as npm writes it: in base 64."""
NAMES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files that a browser loads; doiportal/settings.py looks for them too."""
FOLDER = Path(__file__).resolve().parents[1] / "static/reading"


class WrongPackage(Exception):
    """The package isn't the one that was tried."""


def put_files(tarball: Path, folder: Path) -> int:
    """Unpack NAMES into `folder` and return their bytes. Raises WrongPackage."""
    content = tarball.read_bytes()
    found = base64.b64encode(hashlib.sha512(content).digest()).decode()
    if found != INTEGRITY:
        raise WrongPackage(f"{tarball.name} isn't {PACKAGE}: its sha512 is {found}, not {INTEGRITY}")
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(tarball) as package:
        for name in NAMES:
            member = package.extractfile(f"package/{name}")
            if member is None:
                raise WrongPackage(f"{PACKAGE} has no {name}")
            with member, (folder / name).open("wb") as file:
                shutil.copyfileobj(member, file)
            (folder / name).chmod(0o644)
    return sum((folder / name).stat().st_size for name in NAMES)


def fetch(folder: Path) -> Path:
    """Let npm fetch the package into `folder`, and return its file."""
    npm = shutil.which("npm")
    if not npm:
        sys.exit("npm is needed to fetch Pyodide: install it, or name a copy of the package with TARBALL=FILE")
    subprocess.run([npm, "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.tgz"))


def main() -> None:
    """Put the files into static/reading, or into the folder that the first argument names."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    with tempfile.TemporaryDirectory() as folder:
        given = os.environ.get("TARBALL")
        try:
            size = put_files(Path(given) if given else fetch(Path(folder)), target)
        except (WrongPackage, OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"The files for /read are not there: {error}")
    print(f"{target}: {len(NAMES)} files, {size:,} bytes")


if __name__ == "__main__":
    main()
