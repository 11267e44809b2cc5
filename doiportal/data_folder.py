"""Where a portal keeps its data."""

from pathlib import Path

import platformdirs


def choose_data_dir(named: str, *, checkout: Path | None) -> Path:
    """Return the data folder. `named`: the one that the operator wants, or ""; `checkout`: the folder of the code, None
    if the portal is installed.

    A relative name counts from the checkout, or else from the current folder. Without a name it is `var` in the
    checkout, or the folder that the system has for the data of this user's programs."""
    if checkout:
        return (checkout / (named or "var")).resolve()
    return Path(named).resolve() if named else platformdirs.user_data_path("doiportal", appauthor=False)
