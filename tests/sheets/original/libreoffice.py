"""LibreOffice, which reads workbooks and writes each as flat OpenDocument."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.sheets.original.flat_workbook import FlatWorkbook

LONGEST = 300  # seconds for all workbooks together; on an idle machine it needs 20


def read_by_libreoffice(workbooks: Mapping[str, bytes], folder: Path) -> dict[str, FlatWorkbook]:
    """The workbooks of these names, without those at which LibreOffice ends.

    Links to files beside a workbook lead from its `folder`: give the same one for what is to be compared."""
    for name, content in workbooks.items():
        (folder / name).write_bytes(content)
    written = {name: folder / "flat" / f"{Path(name).stem}.fods" for name in workbooks}
    left = list(workbooks)
    while left:
        write_flat([folder / name for name in left], folder)
        done = [place for place, name in enumerate(left) if written[name].exists()]
        left = left[done[-1] + 2 if done else 1 :]  # it ended at the one behind the last
    found = {name: FlatWorkbook(path) for name, path in written.items() if path.exists()}
    shutil.rmtree(folder / "flat")
    return found


def write_flat(workbooks: list[Path], folder: Path) -> None:
    """Write the workbooks until LibreOffice ends. After that it would ask what to do with the profile that it used."""
    program = shutil.which("soffice")
    assert program, "this test needs LibreOffice: install libreoffice-calc, or type make slow-programs"
    shutil.rmtree(profile := folder / "profile", ignore_errors=True)
    bounds = ["timeout", "--kill-after=5", str(LONGEST)]  # it ends the processes of the process as well
    words = ["--headless", f"-env:UserInstallation={profile.as_uri()}", "--convert-to", "fods", "--outdir"]
    subprocess.run([*bounds, program, *words, folder / "flat", *workbooks], capture_output=True, check=False)
