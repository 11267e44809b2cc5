"""What an administrator of a handle may do, by the bitmask of an HS_ADMIN value (A5).

The order is RFC 3651's, section 3.2.1 (Add_Handle is 0x0001, List_Handle 0x0800). The text of the JSON answers is that
mask as a binary number, so that its last character is Add_Handle: this was read in the code that writes it, CNRI's
GsonUtility (`permsArrayToString`), and the masks that occur make sense only so.
"""

RIGHTS = (
    "create handles",
    "delete the handle",
    "create prefixes below",
    "delete prefixes below",
    "change values",
    "remove values",
    "add values",
    "change administrators",
    "remove administrators",
    "add administrators",
    "read values that are not public",
    "list handles",
)
"""From the last character of the mask to its first."""


def rights(permissions: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """`011111110010` → the rights that are given, and those that are not, each in the order of the RFC.

    None for a text that is not twelve times 0 or 1: it is for the page to show as it is.
    """
    if len(permissions) != len(RIGHTS) or set(permissions) - {"0", "1"}:
        return None
    given = [right for right, bit in zip(RIGHTS, reversed(permissions), strict=True) if bit == "1"]
    return tuple(given), tuple(right for right in RIGHTS if right not in given)
