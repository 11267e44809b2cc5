"""Names cut into lists that one Which RA request can hold."""

from collections.abc import Iterator, Sequence

from doi_reading import encode

MAX_BATCH_NAMES = 50
MAX_BATCH_BYTES = 3000  # doi.org answered 5.7 kB in 7.6 s and refused 11.5 kB with HTTP 414


def split_batches(names: Sequence[str]) -> Iterator[list[str]]:
    """Cut the names into lists that one Which RA request can hold, in order, but names with a comma last.

    A comma inside a name is `%2C` (R2). Whether the service splits before it decodes is not documented. If not, the
    answer does not fit, and the batch is halved until each name is alone: apart, they harm no other name.
    """
    for group in ([name for name in names if "," not in name], [name for name in names if "," in name]):
        batch: list[str] = []
        size = 0
        for name in group:
            length = len(encode(name, "which-ra")) + 1
            if batch and (len(batch) == MAX_BATCH_NAMES or size + length > MAX_BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(name)
            size += length
        if batch:
            yield batch
