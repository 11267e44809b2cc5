"""The library that reads texts, as an archive that Python in a browser imports."""

import io
from functools import cache
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import doi_reading


@cache
def build_library_archive() -> bytes:
    """Return a ZIP file with the modules of doi_reading that this process runs: always the same bytes."""
    folder = Path(doi_reading.__file__).parent
    content = io.BytesIO()
    with ZipFile(content, "w") as archive:
        for path in sorted(folder.rglob("*.py")):
            info = ZipInfo(f"doi_reading/{path.relative_to(folder)}")
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return content.getvalue()
