"""Numbers that registrants give their works, with the label that says whose they are, and the names made of them."""

import re
from typing import NamedTuple

from doi_reading.late_pattern import compile_late
from doi_reading.tables import split_rows


class RegistrantNumber(NamedTuple):
    """A registrant's rule: a match of `pattern` in a text means the name that the template `name` produces."""

    pattern: re.Pattern[str]
    name: str
    example: tuple[str, str]
    source: str


# A middle of volume, year and issue, and an article number with its e: `2013;9(3):e1003456`.
_E_NUMBER = r"\.?[ ,.;:0-9()]{1,24}e([0-9]{7})"
_ROWS = rf"""
(?:zenodo(?:\.org)?,? ?(?:record|id|no\.?)[ :#]{{1,2}})([0-9]{{4,9}})  10.5281/zenodo.\1  Zenodo record 6614829  10.5281/zenodo.6614829  Zenodo: the record zenodo.org/records/22004295 is 10.5281/zenodo.22004295
elife[ .:,]{{1,2}}(?:20[0-9]{{2}}[;,:]? ?)?(?:[0-9]{{1,2}}(?:\([0-9]{{1,3}}\))?[:,;] ?)?(?:e[ ]?)?([0-9]{{5,6}})  10.7554/eLife.\1  eLife 2019;8:e45403  10.7554/eLife.45403  eLife's references: e and the number of the name, which has five digits or six
plos one{_E_NUMBER}  10.1371/journal.pone.\1  PLoS ONE 12(3): e0174567  10.1371/journal.pone.0174567  PLOS's references: of seven digits it is that of the name; a shorter one isn't (PLoS Biol 5(6): e162 is journal.pbio.0050162)
plos biol(?:ogy)?{_E_NUMBER}  10.1371/journal.pbio.\1  PLoS Biol 11(4): e1001527  10.1371/journal.pbio.1001527  PLOS, as above
plos med(?:icine)?{_E_NUMBER}  10.1371/journal.pmed.\1  PLoS Med 6(7): e1000097  10.1371/journal.pmed.1000097  PLOS, as above
plos genet(?:ics)?{_E_NUMBER}  10.1371/journal.pgen.\1  PLoS Genet. 2010;6(2):e1000862  10.1371/journal.pgen.1000862  PLOS, as above
plos pathog(?:ens)?{_E_NUMBER}  10.1371/journal.ppat.\1  PLoS Pathog 9(5): e1003376  10.1371/journal.ppat.1003376  PLOS, as above
plos comput(?:ational)? biol(?:ogy)?{_E_NUMBER}  10.1371/journal.pcbi.\1  PLoS Comput Biol. 2013;9(10):e1003285  10.1371/journal.pcbi.1003285  PLOS, as above
plos negl(?:ected)? trop(?:ical)? dis(?:eases)?{_E_NUMBER}  10.1371/journal.pntd.\1  PLoS Negl Trop Dis 6(8): e0001760  10.1371/journal.pntd.0001760  PLOS, as above
(?:bio|med)rxiv[ ,:.]{{1,3}}(?:preprint[ ,:.]{{1,2}})?(20(?:19|2[0-4])\.[01][0-9]\.[0-3][0-9]\.[0-9]{{6,8}})(?:v[0-9]{{1,2}})?  10.1101/\1  bioRxiv 2020.03.05.978858  10.1101/2020.03.05.978858  openRxiv, "Understanding DOIs for preprints" (2025): 10.1101 until November 2025
ssrn(?: abstract| paper| working paper)?(?: id| no\.?| number)?[ .:=#]{{1,3}}([0-9]{{5,8}})  10.2139/ssrn.\1  SSRN 3755630  10.2139/ssrn.3755630  SSRN's suggested citations: ssrn.com/abstract=1573345 or 10.2139/ssrn.1573345
nber(?:[ ,]{{1,2}}working papers?)?(?: series)?,? (?:(?:no\.?|number|#) ?w?|w)([0-9]{{4,5}})  10.3386/w\1  NBER Working Paper No. 24567  10.3386/w24567  NBER's references: Working Paper No. 31161 is 10.3386/w31161
pangaea[.:] ?([0-9]{{4,7}})  10.1594/PANGAEA.\1  PANGAEA.841672  10.1594/PANGAEA.841672  PANGAEA's own client makes the address of a dataset so
dryad\.(?=[a-z]{{0,13}}[0-9])([0-9a-z]{{4,14}})  10.5061/dryad.\1  dryad.z08kprrp4  10.5061/dryad.z08kprrp4  Dryad's addresses: datadryad.org/stash/dataset/doi:10.5061/dryad.z08kprrp4
"""
NUMBERS = tuple(
    RegistrantNumber(
        compile_late(rf"(?<![0-9a-z./-]){pattern}(?![0-9a-z/-]|\.[0-9a-z])", re.IGNORECASE),
        name,
        (given, right),
        source,
    )
    for pattern, name, given, right, source in split_rows(_ROWS)
)
"""Only those of which the label leaves no doubt whose number it is, and of which each has a name."""
