"""Endings that publishers add to a name in their addresses (`/full`, `.pdf`), as data."""

import re

from doi_reading.tables import split_rows

_PATHS = r"""
abstract                                 https://www.frontiersin.org/articles/10.3389/x/abstract                           python-mwcites#7: 6,523
summary                                  https://onlinelibrary.wiley.com/doi/10.1002/x/summary                             python-mwcites#7: 90
short                                    https://www.pnas.org/content/10.1073/x/short                                      zotero, HighWire 2.0
long                                     https://www.pnas.org/content/10.1073/x/long                                       zotero, HighWire 2.0
full(?:/.{1,40})?                        https://www.emerald.com/insight/content/doi/10.1108/x/full/html                   zotero, Emerald Insight
full[-_]?text                            https://www.karger.com/Article/10.1159/x/fulltext                                 zotero, Karger
fulltext\.html                           https://link.springer.com/article/10.1007/x/fulltext.html                         zotero, Springer Link
full_html                                https://example.org/doi/10.1051/x/full_html                                       tests/doi_reading/corpus/addresses.tsv: EDP
html                                     https://pubs.acs.org/doi/10.1021/x/html                                           tests/doi_reading/corpus/addresses.tsv
xml(?:/[a-z]+)?                          https://www.frontiersin.org/articles/10.3389/x/xml/nlm                            tests/doi_reading/corpus/addresses.tsv: Frontiers
e?pdf                                    https://pubs.acs.org/doi/10.1021/x/pdf                                            OpenAlex: 208,727
pdfft|pdfdirect                          https://onlinelibrary.wiley.com/doi/10.1002/x/pdfdirect                           zotero, Wiley Online Library
epub                                     https://onlinelibrary.wiley.com/doi/10.1002/x/epub                                zotero, Wiley Online Library
pdf-excerpt|first_page_pdf|download-pdf  https://example.org/doi/10.1000/x/download-pdf                                    damage.md: path-suffix
meta                                     https://iopscience.iop.org/article/10.1088/x/meta                                 zotero, Institute of Physics
references                               https://link.springer.com/article/10.1007/x/references                            python-mwcites#7
cited-?by                                https://onlinelibrary.wiley.com/doi/10.1002/x/citedby                             python-mwcites#7
citations?                               https://link.springer.com/article/10.1007/x/citations                             zotero, Springer Link
figures?(?:/[0-9]{1,3})?                 https://link.springer.com/article/10.1007/x/figures/6                             damage.md: latex-escape example
tables?(?:/[0-9]{1,3})?                  https://link.springer.com/article/10.1007/x/tables/1                              zotero, Springer Link
metrics                                  https://link.springer.com/article/10.1007/x/metrics                               zotero, Springer Link
article-info                             https://www.frontiersin.org/articles/10.3389/x/article-info                       tests/doi_reading/corpus/addresses.tsv
related                                  https://www.sciencedirect.com/science/10.1016/x/related                           python-mwcites#7
suppinfo                                 https://onlinelibrary.wiley.com/doi/10.1002/x/suppinfo                            zotero, Wiley Online Library
information                              https://www.cochranelibrary.com/cdsr/doi/10.1002/x/information                    Cochrane Library
supplement(?:ary|al)(?:-material)?       https://www.biorxiv.org/content/10.1101/x/supplementary-material                  zotero, HighWire 2.0
suppl_file/.*|suppl                      https://pubs.acs.org/doi/10.1021/x/suppl_file/x_si_001.pdf                        tests/doi_reading/corpus/addresses.tsv: ACS
-/dc[0-9]*(?:/.*)?                       https://www.genetics.org/lookup/suppl/doi:10.1534/x/-/DC1                         tests/doi_reading/corpus/addresses.tsv: Genetics
-/dcsupplemental(?:/.*)?                 https://www.pnas.org/content/10.1073/x/-/dcsupplemental                           OpenCitations, citations per rule
currentissue                             https://onlinelibrary.wiley.com/doi/10.1002/x/currentissue                        python-mwcites#7: 416
issuetoc|issues                          https://onlinelibrary.wiley.com/doi/10.1002/x/issuetoc                            python-mwcites#7: 619
asset(?:/.*)?|download|export            https://www.emerald.com/doi/10.1108/x/export                                      damage.md: path-suffix
cite(?:/.*)?|bibtex|ris|ref              https://www.frontiersin.org/articles/10.3389/x/bibtex                             tests/doi_reading/corpus/wild.tsv
comments?|reviews?|peer-review           https://peerj.com/articles/10.7717/x/reviews                                      damage.md: path-suffix
preview|transcript|standard              https://example.org/doi/10.1000/x/preview                                         damage.md: path-suffix
page/[0-9]+                              https://link.springer.com/book/10.1007/x/page/1                                   tests/doi_reading/corpus/addresses.tsv: Springer
authors                                  https://ieeexplore.ieee.org/document/10.1109/x/authors                            IEEE Xplore
type/journal_article                     https://www.cambridge.org/core/product/identifier/10.1017/x/type/journal_article  Cambridge Core
transform(?:/.*)?                        https://api.crossref.org/works/10.3319/x/transform/application/x-bibtex           Crossref REST API
tab-[a-z-]{1,20}                         https://example.org/articles/10.1016/x/tab-article-info                           damage.md: publisher-url-suffix
[a-z]+(?:-[a-z]+[0-9]{0,4}){3,30}        https://www.nomos-elibrary.de/10.5771/x/the-title-of-an-article                   Stanford lane, DOIParserTest
"""
_FILES = r"""
full(?:\.pdf)?(?:\+html)?  https://www.biorxiv.org/content/10.1101/x.full.pdf+html  zotero, HighWire 2.0
full\.html?|full-text      https://www.biorxiv.org/content/10.1101/x.full-text      zotero, HighWire 2.0
pdf(?:\+html)?             https://link.springer.com/content/pdf/10.1007/x.pdf      zotero, Springer Link
epub                       https://link.springer.com/download/epub/10.1007/x.epub   zotero, Springer Link
abstract|short|long        https://www.biorxiv.org/content/10.1101/x.abstract       zotero, HighWire 2.0
html?|xml                  https://example.org/10.1000/x.html                       damage.md: publisher-url-suffix
json|ris|bib               https://example.org/10.1000/x.ris                        damage.md: publisher-url-suffix
docx?                      https://example.org/10.1000/x.docx                      file names of manuscripts
svg|png                    https://example.org/badge/DOI/10.5281/zenodo.591727.svg  repair.tsv
"""


def _build_endings(table: str) -> str:
    return "|".join(ending for ending, _address, _source in split_rows(table))


_PATH = re.compile(rf"/(?:{_build_endings(_PATHS)})/?\Z", re.IGNORECASE)
_FILE = re.compile(rf"(?:_reference)?\.(?:{_build_endings(_FILES)})\Z", re.IGNORECASE)

PATH_EXAMPLES = tuple(address for table in (_PATHS, _FILES) for _ending, address, _source in split_rows(table))


def strip_endings(name: str) -> str:
    """Remove the endings that publishers add from a name, or from a path that starts with one: `/v1/full/pdf`."""
    for _ in range(3):
        found = (pattern.search(name, max(name.find("/") + 2, len(name) - 200)) for pattern in (_FILE, _PATH))
        match = next(filter(None, found), None)
        if match is None:
            break
        name = name[: match.start()]
    return name
