"""Registrants whose names end in a number of a fixed width, as data: what is lost of such a number can be guessed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from doi_reading.late_pattern import compile_late
from doi_reading.tables import split_rows

_S = "[^0-9A-Za-z]{0,2}"
_ROWS = r"""
10.1371   (?:jou[a-z]{2,5})?_(p(?:one|bio|med|gen|cbi|pat|ntd|dig|gph|clm|wat))_    [0-9]{7}    journal.pone.0012345    journal.\1.
10.1371   journal\.p[a-z]{3}\.                                 [0-9]{7}                     journal.ppat.1005321
10.3389   (f[a-z]{3,7})_(20[0-9]{2})_                          0[0-9]{4}|[2-9][0-9]{5}|1[0-9]{6}    fpsyg.2011.00105    \1.\2.
10.1136   (bmj[a-z]{0,9}|[a-z]{3,9}jnl|annrheumdis|archdischild|ijgc|jech|jitc|jmedgenet|jnnp|medethics|oemed|openhrt|rmdopen|sextrans)_(20[0-9]{2})_    [0-9]{6}    bmjopen-2015-008737    \1-\2-
10.1136   [a-z]{2,16}-20[0-9]{2}-                              [0-9]{6}                     neurintsurg-2015-012345
10.1073   pnas\.                                               [0-9]{10}                    pnas.1403683111
10.1126   (?:sci[a-z]{2,9})\.                                  [a-z]{3}[0-9]{4}|1[0-9]{6}   sciadv.adl3570
10.1097   [A-Z]{2,6}\.                                         [0-9]{16}                    BRS.0000000000004760
10.1213   [A-Z]{2,6}\.                                         [0-9]{16}                    ANE.0000000000004760
10.1177   [0-9]{7}[0-9X]                                       [0-9]{8}|2[1-9][0-9]{7}      1557988319863542
10.1080   [0-9]{7}[0-9X]\.20(?:1[5-9]|2[0-9])\.                [12][0-9]{6}                 20477724.2018.1427192
10.1080   [0-9]{7}[0-9X]\.20(?:0[89]|1[0-4])\.                 [1-9][0-9]{5}                10407790.2014.992094
10.1111   [a-z]{2,8}[0-9]?\.                                   [0-9]{5}                     imm.12327
10.1111   j\.[0-9]{4}-[0-9]{3}[0-9X]\.(?:19|20)[0-9]{2}\.      (?:tb)?[0-9]{5}\.x           j.1539-6924.2011.01695.x
10.1002   [a-z]{2,6}[0-9]?\.                                   [0-9]{5}                     jmri.24643
10.1002   (?:anie|ange|chem|adma|adfm|smll|cssc|cctc|aenm)\.   20[0-9]{7}                   anie.201411141
10.1029   (?:19|20)[0-9]{2}[A-Z]{2}                            [0-9]{6}                     2014JB011558
10.1002   20[0-9]{2}[A-Z]{2}                                   [0-9]{6}                     2014JB011558
10.1016   j\.[a-z]+\.(?:19|20)[0-9]{2}\.[01][0-9]\.            [0-9]{3}                     j.celrep.2014.02.019
10.1053   j\.[a-z]+\.(?:19|20)[0-9]{2}\.[01][0-9]\.            [0-9]{3}                     j.gastro.2014.02.019
10.1016   j\.[a-z]+\.20[12][0-9]\.                             1[0-9]{5}                    j.dib.2024.111034
10.1007   s[0-9]{5}-[0-9]{3}-                                  [0-9]{4,5}-[0-9xyz]          s11230-004-6348-4
10.1186   s[0-9]{5}-[0-9]{3}-                                  [0-9]{4,5}-[0-9xyz]          s12912-014-0051-9
10.1038   s[0-9]{5}-[0-9]{3}-                                  [0-9]{4,5}-[0-9xyz]          s41597-025-05639-9
10.1057   s[0-9]{5}-[0-9]{3}-                                  [0-9]{4,5}-[0-9xyz]          s41304-019-00230-4
10.1245   s[0-9]{5}-[0-9]{3}-                                  [0-9]{4,5}-[0-9xyz]          s10434-019-07230-4
10.1208   s[0-9]{5}-[0-9]{3}-                                  [0-9]{4,5}-[0-9xyz]          s12248-019-0323-4
10.1617   s[0-9]{5}-[0-9]{3}-                                  [0-9]{4,5}-[0-9xyz]          s11527-019-1323-4
10.1038   (?:nature|srep)                                      [0-9]{5}                     nature12373
10.1038   ncomms                                               [0-9]{4,5}                   ncomms12373
10.3390   [a-z]{2,24}[1-9](?:0[1-9]|1[0-9]|2[0-4])             [0-9]{4}                     rs9030277
10.3390   [a-z]{2,24}[1-9][0-9](?:0[1-9]|1[0-9]|2[0-4])        [0-9]{4,5}                   ma12172700
10.7554   eLife\.                                              [0-9]{5}|10[0-9]{4}          eLife.56601
10.1145   [1-9][0-9]{6}\.                                      [1-9][0-9]{6}                3414685.3417816
10.1021   (?:acs\.)?[a-z]{2,9}\.?[0-9][a-z]                    [0-9]{5}                     acs.jpcc.5b01827
10.1039   [a-z][0-9][a-z]{2}                                   [0-9]{5}[a-hjk]              c7ce01925d
10.1093   [a-z]+/[a-z]{3}                                      [0-9]{3}                     rpd/ncy300
10.1093   [a-z]+/[a-z]{4}                                      [0-9]{3,4}                   nar/gkae237
10.1155   20(?:0[89]|1[0-5])/                                  [0-9]{6}                     2013/123456
10.1155   20(?:1[6-9]|2[0-9])/                                 [0-9]{7}                     2018/9410278
10.1101   20[0-9]{2}\.[0-9]{2}\.[0-9]{2}\.                     [0-9]{6}|2[0-9]{7}           2021.08.03.454978
10.1101   (?=[0-9]{4,6}\Z)                                     [0-9]{6}                     036061
10.48550  arxiv\.(?:1[5-9]|2[0-9])[01][0-9]\.                  [0-9]{5}                     arXiv.1706.03762
10.48550  arxiv\.(?:0[7-9]|1[0-4])[01][0-9]\.                  [0-9]{4}                     arXiv.0706.0376
10.5194   [a-z]+-[0-9]{1,3}-[0-9]{1,5}-                        (?:199|20[0-9])[0-9]         amt-17-6163-2024
10.1128   [A-Z]{2,5}\.                                         [0-9]{5}-[0-9]{2}            AAC.00951-20
10.1103   Phys[A-Za-z]+\.[0-9]{1,3}\.                          [0-9]{6}                     PhysRevLett.114.098105
10.1044   20[0-9]{2}_[a-z]+-[0-9]{2}-                          [0-9]{5}                     2025_jslhr-25-00397
10.1242   [a-z]{3}\.                                           0?[0-9]{5}|[12][0-9]{5}      dev.161133
10.4269   ajtmh\.[0-9]{2}-                                     [0-9]{4}                     ajtmh.18-0002
10.1061   [A-Z]{6}\.[A-Z]{2,6}-                                [0-9]{4,5}                   JIDEDH.IRENG-9796
10.1061   \(ASCE\)[A-Z0-9]{2}\.[0-9]{4}-[0-9]{3}[0-9X]\.       [0-9]{7}                     (ASCE)EM.1943-7889.0000123
10.1037   [a-z]{1,6}                                           [0-9]{7}                     a0033787
10.1109   [A-Z]{2,9}\.20[0-9]{2}\.                             [0-9]{7}                     TPAMI.2016.2577031
10.1063   [15]\.                                               [0-9]{7}                     5.0012345
10.1088   [0-9]{4}-[0-9]{3}[0-9X]/                             a[a-f0-9]{5}                 1361-6463/ab1234
10.3847   [0-9]{4}-[0-9]{3}[0-9X]/                             a[a-f0-9]{5}                 1538-4357/ac7c19
10.1364   [A-Z]{2,6}\.[0-9]{1,3}\.                             [0-9]{6}                     OE.27.012345
10.1158   [0-9]{4}-[0-9]{3}[0-9X]\.[A-Z]{3}-[0-9]{2}-          [0-9]{4}                     1078-0432.CCR-18-3423
10.1161   [A-Z]{3,20}\.[0-9]{3}\.                              [0-9]{6}                     CIRCULATIONAHA.117.028021
10.1152   [a-z]{3,12}\.                                        [0-9]{5}\.(?:19|20)[0-9]{2}  ajpcell.00123.2015
10.1098   rs[a-z]{2}\.20[0-9]{2}\.                             [0-9]{4}                     rspb.2015.0123
10.1108   [a-z]+-[01][0-9]-(?:19|20)[0-9]{2}-                  [0-9]{4}                     JOSM-04-2018-0123
10.1182   blood[a-z]*\.                                        20[0-9]{8}                   blood.2019001234
10.15252  [a-z]{3,5}\.                                         20[0-9]{7}                   embj.201798200
10.1084   jem\.                                                20[0-9]{6}                   jem.20181234
10.1083   jcb\.                                                20[0-9]{7}                   jcb.201812345
10.1074   jbc\.[A-Z]{1,2}[0-9]{3}\.                            [0-9]{6}                     jbc.RA118.001234
10.1104   pp\.[0-9]{2}\.                                       [0-9]{5}                     pp.18.01234
10.1105   tpc\.[0-9]{2}\.                                      [0-9]{5}                     tpc.18.00123
"""
_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class FixedNumber:
    """The names of one journal or series: the text before the number, and the number, whole. `written` is what the
    registrant writes before it, a template of `head`, if `head` also matches it with other signs or none."""

    prefix: str
    head: re.Pattern[str]
    number: re.Pattern[str]
    example: str
    written: str

    def pad(self, suffix: str) -> str:
        """Return the suffix with the signs of the registrant, and with the zeros that its number lacks; "" if it isn't
        such a suffix even then."""
        found = self.head.match(suffix)
        if found is None:
            return ""
        rest, written = suffix[found.end() :], found.expand(self.written) if self.written else found[0]
        padded = (rest.rjust(len(rest) + zeros, "0") for zeros in range(9) if rest[:1].isalnum())
        return next((written + number for number in padded if self.number.fullmatch(number)), "")

    def complete(self, suffix: str) -> Iterator[str]:
        """Yield the suffix with the last character that its number lacks: each that may stand there. If it lacks its
        check character, a hyphen comes before it."""
        found = self.head.match(suffix)
        rest = suffix[found.end() :] if found else ""
        for sign in ("", "-") if rest else ():
            whole = [sign + last for last in _CHARACTERS if self.number.fullmatch(rest + sign + last)]
            if whole:
                yield from (suffix + one for one in whole)
                return


FIXED_NUMBERS = tuple(
    FixedNumber(
        prefix,
        compile_late(head.replace(")_", f"){_S}").replace("?_", f"?{_S}"), re.IGNORECASE),
        compile_late(number, re.IGNORECASE),
        example,
        "".join(written),
    )
    for prefix, head, number, example, *written in split_rows(_ROWS)
)
