"""The rights of a handle's administrator, from the bitmask of an HS_ADMIN value (A5).

The order is that of RFC 3651, section 3.2.1 (Add_Handle is 0x0001, List_Handle 0x0800). JSON answers hold the mask as a
binary number, so its last character is Add_Handle. The source is the code that writes it, CNRI's GsonUtility
(`permsArrayToString`), and only in this order do the masks in use make sense.
"""

from doi_reading import Message

RIGHTS = (
    Message("create handles"),
    Message("delete the handle"),
    Message("create prefixes below"),
    Message("delete prefixes below"),
    Message("change values"),
    Message("remove values"),
    Message("add values"),
    Message("change administrators"),
    Message("remove administrators"),
    Message("add administrators"),
    Message("read values that are not public"),
    Message("list handles"),
)
"""The rights, from the last character of the mask to the first."""


def describe_rights(permissions: str) -> tuple[tuple[Message, ...], tuple[Message, ...]] | None:
    """`011111110010` → the rights that are given, and those that are not, each in the order of the RFC.

    None for a text that is not twelve digits 0 or 1; the page shows it unchanged.
    """
    if len(permissions) != len(RIGHTS) or set(permissions) - {"0", "1"}:
        return None
    given = [right for right, bit in zip(RIGHTS, reversed(permissions), strict=True) if bit == "1"]
    return tuple(given), tuple(right for right in RIGHTS if right not in given)
