"""Publishers' addresses that hold another name than the registered one, or only the parts of a name, as data."""

import re
from dataclasses import dataclass
from itertools import islice

from doi_reading.late_pattern import compile_late
from doi_reading.tables import split_rows


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A publisher's rule: a match of `pattern` means the name that the template `name` produces."""

    pattern: re.Pattern[str]
    name: str
    example: tuple[str, str]
    source: str


_NAMES = r"""
10\.1093/acrefore/([0-9]{13})\.001\.0001/acrefore-\1-e-([0-9]+)      10.1093/acrefore/\1.013.\2   10.1093/acrefore/9780190228637.001.0001/acrefore-9780190228637-e-181   10.1093/acrefore/9780190228637.013.181
10\.1093/acref/([0-9]{13})\.001\.0001/acref-[0-9]{13}-e-([0-9]+)      10.1093/acref/\1.013.\2      10.1093/acref/9780195301731.001.0001/acref-9780195301731-e-41463   10.1093/acref/9780195301731.013.41463
10\.1093/ref:odnb/[0-9.]+/odnb-[0-9]{13}-e-([0-9]+)                     10.1093/ref:odnb/\1           10.1093/ref:odnb/9780198614128.001.0001/odnb-9780198614128-e-33369   10.1093/ref:odnb/33369
10\.1093/odnb/([0-9]{13})\.001\.0001/odnb-\1-e-([0-9]{1,5})              10.1093/ref:odnb/\2          10.1093/odnb/9780198614128.001.0001/odnb-9780198614128-e-29929   10.1093/ref:odnb/29929
10\.1093/odnb/([0-9]{13})\.001\.0001/odnb-\1-e-([0-9]+)              10.1093/odnb/\1.013.\2       10.1093/odnb/9780198614128.001.0001/odnb-9780198614128-e-108196   10.1093/odnb/9780198614128.013.108196
10\.1093/gmo/([0-9]{13})\.001\.0001/omo-\1-e-00000([0-9]{5})         10.1093/gmo/\1.article.\2    10.1093/gmo/9781561592630.001.0001/omo-9781561592630-e-0000040055   10.1093/gmo/9781561592630.article.40055
10\.1093/gmo/([0-9]{13})\.001\.0001/omo-\1-e-100(2[0-9]{6})          10.1093/gmo/\1.article.A\2   10.1093/gmo/9781561592630.001.0001/omo-9781561592630-e-1002242442   10.1093/gmo/9781561592630.article.A2242442
10\.1093/gmo/([0-9]{13})\.001\.0001/omo-\1-e-2000([0-9]{6})          10.1093/gmo/\1.article.J\2   10.1093/gmo/9781561592630.001.0001/omo-9781561592630-e-2000095300   10.1093/gmo/9781561592630.article.J095300
10\.1093/gmo/([0-9]{13})\.001\.0001/omo-\1-e-400(2[0-9]{6})          10.1093/gmo/\1.article.L\2   10.1093/gmo/9781561592630.001.0001/omo-9781561592630-e-4002232256   10.1093/gmo/9781561592630.article.L2232256
10\.1093/gmo/([0-9]{13})\.001\.0001/omo-\1-e-5000([0-9]{6})          10.1093/gmo/\1.article.O\2   10.1093/gmo/9781561592630.001.0001/omo-9781561592630-e-5000008391   10.1093/gmo/9781561592630.article.O008391
10\.1093/gao/([0-9]{13})\.001\.0001/oao-\1-e-7000([0-9]{6})          10.1093/gao/\1.article.T\2   10.1093/gao/9781884446054.001.0001/oao-9781884446054-e-7000082129   10.1093/gao/9781884446054.article.T082129
10\.1093/gao/([0-9]{13})\.001\.0001/oao-\1-e-700(2[0-9]{6})          10.1093/gao/\1.article.T\2   10.1093/gao/9781884446054.001.0001/oao-9781884446054-e-7002085714   10.1093/gao/9781884446054.article.T2085714
10\.1093/benz/([0-9]{13})\.001\.0001/acref-\1-e-([0-9]{8})           10.1093/benz/\1.article.B\2  10.1093/benz/9780199773787.001.0001/acref-9780199773787-e-00183827   10.1093/benz/9780199773787.article.B00183827
10\.1093/anb/([0-9]{13})\.001\.0001/anb-\1-e-([0-9]+)                10.1093/anb/\1.article.\2    10.1093/anb/9780198606697.001.0001/anb-9780198606697-e-1800262   10.1093/anb/9780198606697.article.1800262
10\.1093/ww/[0-9]{13}\.001\.0001/ww-([0-9]{13})-e-([0-9]+)            10.1093/ww/\1.013.U\2        10.1093/ww/9780199540891.001.0001/ww-9780199540884-e-37305   10.1093/ww/9780199540884.013.U37305
10\.1093/oxfordhb/([0-9]{13})\.001\.0001/oxfordhb-\1-e-([0-9]{3})    10.1093/oxfordhb/\1.003.0\2  10.1093/oxfordhb/9780199552238.001.0001/oxfordhb-9780199552238-e-023   10.1093/oxfordhb/9780199552238.003.0023
10\.1093/oxfordhb/([0-9]{13})\.001\.0001/oxfordhb-\1-e-([0-9]{1,2})  10.1093/oxfordhb/\1.013.\2   10.1093/oxfordhb/9780198824633.001.0001/oxfordhb-9780198824633-e-1   10.1093/oxfordhb/9780198824633.013.1
10\.1093/([a-z:]+)/([0-9]{13})\.001\.0001/[a-z]+-\2-chapter-([0-9])  10.1093/\1/\2.003.000\3     10.1093/oso/9780198814122.001.0001/oso-9780198814122-chapter-5   10.1093/oso/9780198814122.003.0005
10\.1093/([a-z:]+)/([0-9]{13})\.001\.0001/[a-z]+-\2-chapter-([0-9]{2})  10.1093/\1/\2.003.00\3   10.1093/oso/9780198814122.001.0001/oso-9780198814122-chapter-15   10.1093/oso/9780198814122.003.0015
10\.1093/([a-z:]+)/([0-9]{13})\.001\.0001/[a-z]+-\2-chapter-([0-9]{3})  10.1093/\1/\2.003.0\3    10.1093/med/9780199592548.001.0001/med-9780199592548-chapter-199   10.1093/med/9780199592548.003.0199
10\.1093/([a-z:]+)/([0-9]{13})\.001\.0001/[a-z]+-\2                  10.1093/\1/\2.001.0001       10.1093/oso/9780190124786.001.0001/oso-9780190124786   10.1093/oso/9780190124786.001.0001
10\.1093/([0-9]{9}[0-9X]\.001\.0001)/[a-z]+-[0-9]{13}                  10.1093/\1                    10.1093/0198283652.001.0001/acprof-9780198283652   10.1093/0198283652.001.0001
10\.1101/20[0-9]{2}/[0-9]{2}/[0-9]{2}/(20[0-9.]+[0-9])                   10.1101/\1                    10.1101/2020/03/08/2020.03.05.20031898   10.1101/2020.03.05.20031898
10\.5771/([0-9]+(?:-[0-9]+)*)/[a-z][a-z0-9-]*                        10.5771/\1                   10.5771/9783845277950-1/titelei   10.5771/9783845277950-1
10\.1093/([a-z_]+/(?!97[89][0-9]{10}(?:\.001\.0001)?/)[a-z0-9.]+)/[0-9]{4,8}                                10.1093/\1                    10.1093/nar/gkae237/7642068   10.1093/nar/gkae237
"""
_ADDRESSES = r"""
//(?:www\.)?nature\.com/articles/((?:s[0-9]{5}-|nature|srep|ncomms|[0-9]{6}[a-z]|n[a-z]{2,6}\.)[0-9a-z.-]+?)(?:\.e?pdf|_reference\.pdf)?(?=[/?#]|\Z)  10.1038/\1  https://www.nature.com/articles/s41586-020-2649-2  10.1038/s41586-020-2649-2
preprints\.org/manuscript/([0-9]{6}\.[0-9]{4})/(v[0-9]+)               10.20944/preprints\1.\2      https://www.preprints.org/manuscript/202001.0123/v1  10.20944/preprints202001.0123.v1
acm\.org/citation\.cfm\?(?:.*&)?(?:do)?id=([0-9]+\.[0-9]+)           10.1145/\1                    http://dl.acm.org/citation.cfm?doid=37401.37406  10.1145/37401.37406
rsc\.org/\?(?:.*&)?doi=([A-Z][0-9A-Z]{7,9})(?![0-9A-Z])                              10.1039/\1                    https://xlink.rsc.org/?DOI=C8FD00069G  10.1039/C8FD00069G
pubs\.rsc\.org/[^?#]*/(?:articlelanding|articlehtml|articlepdf)/[^?#]*/([a-z][0-9][a-z]{2}[0-9]{5}[a-z0-9]|[a-z][0-9]{6}[a-z0-9])(?=[/?#]|\Z)  10.1039/\1  https://pubs.rsc.org/en/content/articlelanding/2019/cp/c9cp05445f  10.1039/c9cp05445f
cambridge\.org/abstract_(S[0-9X]{16})                                   10.1017/\1                    http://journals.cambridge.org/abstract_S0007123411000202  10.1017/S0007123411000202
ametsoc\.org/view/journals/[a-z]+/[0-9]+/[^/]+/([0-9]{4}-[0-9]{3}[0-9x])_([0-9]{4})_([0-9]+)_([0-9a-z]+)_([a-z]+)_2_([0-9])_co_2  10.1175/\1(\2)\3<\4:\5>2.\6.CO;2  https://journals.ametsoc.org/view/journals/atsc/20/2/1520-0469_1963_020_0130_dnf_2_0_co_2.xml  10.1175/1520-0469(1963)020<0130:dnf>2.0.CO;2
ametsoc\.org/view/journals/[a-z]+/[0-9]+/[^/]+/([a-z]+-[a-z]-[0-9]{2}-[0-9]{4,5}|[0-9]{4}[a-z]+[0-9]+)[._]([0-9])  10.1175/\1.\2  https://journals.ametsoc.org/view/journals/hydr/17/3/jhm-d-15-0075_1.xml  10.1175/jhm-d-15-0075.1
(?:bio|med)rxiv\.org/content/(?:[a-z]+/)?early/[0-9/]+/([0-9.]+[0-9])(?=[./?#v]|\Z)  10.1101/\1           https://www.biorxiv.org/content/biorxiv/early/2026/07/26/2026.07.21.739871.full.pdf  10.1101/2026.07.21.739871
(?:bio|med)rxiv\.org/content/[a-z]+/suppl/[0-9/]+/([0-9.]+[0-9])\.DC   10.1101/\1                    https://www.biorxiv.org/content/biorxiv/suppl/2015/10/30/030338.DC1/030338-1.pdf  10.1101/030338
(?:bio|med)rxiv\.org/content/(?:[a-z]+/)?early/[0-9/]+/(202[5-9]\.[0-9.]+[0-9])(?=[./?#v]|\Z)  10.64898/\1  https://www.biorxiv.org/content/early/2026/07/26/2026.07.21.739871.full.pdf  10.64898/2026.07.21.739871
oxfordbibliographies\.com/.*/obo-([0-9]{13}-[0-9]{4})                  10.1093/obo/\1                http://www.oxfordbibliographies.com/view/document/obo-9780199766567/obo-9780199766567-0096.xml  10.1093/obo/9780199766567-0096
nature\.com/[a-z]+/journal/v[0-9]+/n[0-9]+/(?:full|abs|pdf)/([a-z0-9.-]+?)(?:\.html|\.pdf)?(?=[?#]|\Z)  10.1038/\1  http://www.nature.com/nature/journal/v498/n7455/full/nature12209.html  10.1038/nature12209
nature\.com/[a-z]+/journal/v[0-9]+/n[0-9]+/extref/([a-z]+[0-9.]*[0-9])-[a-z][0-9]+\.  10.1038/\1  http://www.nature.com/nature/journal/v498/n7455/extref/nature12209-s1.pdf  10.1038/nature12209
cambridge\.org/.*/(S[0-9]{15}[0-9X])(?:a\.pdf|$|[/?#])                 10.1017/\1                    https://www.cambridge.org/core/services/aop-cambridge-core/content/view/S0956796806006046  10.1017/S0956796806006046
elifesciences\.org/(?:articles|content/[0-9/]+)/?e?([0-9]{5,6})(?=[/?#v.]|\Z)  10.7554/eLife.\1       https://elifesciences.org/articles/61408  10.7554/eLife.61408
elifesciences\.org/reviewed-preprints/([0-9]{5,6})(?:v[0-9]{1,2})?(?=[/?#.]|\Z)  10.7554/eLife.\1       https://elifesciences.org/reviewed-preprints/105119v1  10.7554/eLife.105119
//(?:www\.)?(?:bio|med)rxiv\.org/content/(10\.(?:1101|64898)/[0-9.]{5,24}[0-9])v[0-9]{1,2}(?=[./?#]|\Z)  \1  https://www.biorxiv.org/content/10.1101/2020.03.05.978858v2  10.1101/2020.03.05.978858
(?<![a-z0-9-])biomedcentral\.com/articles/(s[0-9]{5}-[0-9]{3}-[0-9]{4,5}-[0-9xyz])(?=[/?#.]|\Z)  10.1186/\1  https://genomebiology.biomedcentral.com/articles/s13059-014-0550-8  10.1186/s13059-014-0550-8
//(?:www\.)?biomedcentral\.com/([0-9]{4}-[0-9]{3}[0-9x])/([0-9]{1,3})/([0-9]{1,5})(?=[/?#]|\Z)  10.1186/\1-\2-\3  http://www.biomedcentral.com/1471-2105/10/48  10.1186/1471-2105-10-48
peerj\.com/preprints/([0-9]{1,6}v[0-9]{1,2})(?=[./?#]|\Z)  10.7287/peerj.preprints.\1  https://peerj.com/preprints/3188v1/  10.7287/peerj.preprints.3188v1
(?<![a-z0-9-])aps\.org/abstract/PR([ABCDE])/v([0-9]{1,3})/(?:i[0-9]{1,2}/)?[pe]([0-9]{1,6})(?:_1)?(?=[/?#]|\Z)  10.1103/PhysRev\1.\2.\3  http://link.aps.org/abstract/PRA/v68/e021801  10.1103/PhysRevA.68.021801
(?<![a-z0-9-])aps\.org/abstract/PRL/v([0-9]{1,3})/(?:i[0-9]{1,2}/)?[pe]([0-9]{1,6})(?:_1)?(?=[/?#]|\Z)  10.1103/PhysRevLett.\1.\2  http://link.aps.org/abstract/PRL/v100/e234101  10.1103/PhysRevLett.100.234101
(?<![a-z0-9-])aps\.org/abstract/RMP/v([0-9]{1,3})/(?:i[0-9]{1,2}/)?[pe]([0-9]{1,6})(?:_1)?(?=[/?#]|\Z)  10.1103/RevModPhys.\1.\2  http://link.aps.org/abstract/RMP/v67/p279  10.1103/RevModPhys.67.279
nvlpubs\.nist\.gov/nistpubs/[^?#]{0,60}/(NIST\.[A-Z]{2,8}\.[0-9a-z-]{1,30})\.pdf(?=[?#]|\Z)  10.6028/\1  https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-53r5.pdf  10.6028/NIST.SP.800-53r5
//pubs\.(?:er\.)?usgs\.gov/publication/((?:ofr|sir|fs|cir|ds|sim)[0-9]{2,9}[a-z]?)(?=[/?#]|\Z)  10.3133/\1  https://pubs.er.usgs.gov/publication/ofr20151202  10.3133/ofr20151202
cdc\.gov/mmwr/[^?#]{0,60}/(mm[0-9]{4}[ae][0-9]{1,2})\.htm  10.15585/mmwr.\1  https://www.cdc.gov/mmwr/volumes/69/wr/mm6912e3.htm  10.15585/mmwr.mm6912e3
peerj\.com/articles/([0-9]+)(?=[./?#]|\Z)                              10.7717/peerj.\1              https://peerj.com/articles/9368/  10.7717/peerj.9368
peerj\.com/articles/cs-([0-9]+)(?=[./?#]|\Z)                           10.7717/peerj-cs.\1             https://peerj.com/articles/cs-103/  10.7717/peerj-cs.103
researchsquare\.com/article/(rs-[0-9]+)/(v[0-9]+)                       10.21203/rs.3.\1/\2          https://www.researchsquare.com/article/rs-10237331/v1  10.21203/rs.3.rs-10237331/v1
//(?:www\.)?([a-z-]+)\.copernicus\.org/articles/([0-9]+|[XVIL]+-[A-Z0-9-]+)/([0-9]+)/([0-9]{4})  10.5194/\1-\2-\3-\4  https://hess.copernicus.org/articles/23/5089/2019/  10.5194/hess-23-5089-2019
aanda\.org/.*/aa([0-9]{5})-([0-9]{2})(?=[./?#]|\Z)                     10.1051/0004-6361/20\2\1     https://www.aanda.org/articles/aa/full_html/2018/10/aa33055-18/aa33055-18.html  10.1051/0004-6361/201833055
hindawi\.com/(?:journals|archive)/(?:[a-z]+/)?([0-9]{4}/[0-9]{5,7})     10.1155/\1                    https://www.hindawi.com/journals/scn/2018/9410278/  10.1155/2018/9410278
ams\.org/journals/.*/(S[0-9]{4}-[0-9]{4}-[0-9]{2,4}-[0-9]{5,7}-[0-9X])   10.1090/\1                    https://www.ams.org/journals/mcom/1965-19-090/S0025-5718-1965-0178586-1/  10.1090/S0025-5718-1965-0178586-1
(?<![a-z0-9-])(?:thelancet|cell)\.com/[^?#]*/(?:PII)?(S[0-9]{4}-[0-9]{3}[0-9X])(?:\(|%28)([0-9]{2})(?:\)|%29)([0-9]{5}-[0-9X])(?=[/?#.]|\Z)  10.1016/\1(\2)\3  https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(09)61933-4/fulltext  10.1016/S0140-6736(09)61933-4
sciencedirect\.com/science/article/(?:abs/)?pii/(S?[0-9]{4})-?([0-9]{3}[0-9X])(?:\(|%28)?([0-9]{2})(?:\)|%29)?([0-9]{5})-?([0-9X])(?![0-9])  10.1016/\1-\2(\3)\4-\5  https://www.sciencedirect.com/science/article/pii/S0140673609619334  10.1016/S0140-6736(09)61933-4
sciencedirect\.com/science/article/(?:abs/)?pii/B978(0)([01][0-9])([0-9]{6})([0-9])([0-9]{5})([0-9X])(?![0-9])  10.1016/B978-\1-\2-\3-\4.\5-\6  https://www.sciencedirect.com/science/article/pii/B9780080970868030361  10.1016/B978-0-08-097086-8.03036-1
sciencedirect\.com/science/article/(?:abs/)?pii/B978(0)([2-6][0-9]{2})([0-9]{5})([0-9])([0-9]{5})([0-9X])(?![0-9])  10.1016/B978-\1-\2-\3-\4.\5-\6  https://www.sciencedirect.com/science/article/pii/B9780444594297000072  10.1016/B978-0-444-59429-7.00007-2
sciencedirect\.com/science/article/(?:abs/)?pii/B978(0(?=7|8[0-4])|1(?=4|5[0-4]))([0-9]{4})([0-9]{4})([0-9])([0-9]{5})([0-9X])(?![0-9])  10.1016/B978-\1-\2-\3-\4.\5-\6  https://www.sciencedirect.com/science/article/pii/B9780750663984500041  10.1016/B978-0-7506-6398-4.50004-1
sciencedirect\.com/science/article/(?:abs/)?pii/B978(0(?=8[5-9])|1(?=5[5-9]|[67]|8[0-6]))([0-9]{5})([0-9]{3})([0-9])([0-9]{5})([0-9X])(?![0-9])  10.1016/B978-\1-\2-\3-\4.\5-\6  https://www.sciencedirect.com/science/article/abs/pii/B9781845695323500010  10.1016/B978-1-84569-532-3.50001-0
(?<![a-z0-9-])ssrn\.com/(?:sol3/papers\.cfm\?(?:.*&)?abstract_?id=|abstract=)([0-9]{4,8})(?![0-9])  10.2139/ssrn.\1  https://papers.ssrn.com/sol3/papers.cfm?abstract_id=3755630  10.2139/ssrn.3755630
//journals\.openedition\.org/([a-z]{2,40})/([0-9]{1,6})(?=[/?#]|\Z)  10.4000/\1.\2  https://journals.openedition.org/ashp/1562  10.4000/ashp.1562
//([a-z]{2,40})\.revues\.org/(?:index)?([0-9]{1,6})(?:\.html)?(?=[/?#]|\Z)  10.4000/\1.\2  http://ashp.revues.org/1562  10.4000/ashp.1562
//books\.openedition\.org/([a-z]{2,40})/([0-9]{1,6})(?=[/?#]|\Z)  10.4000/books.\1.\2  https://books.openedition.org/pressesenssib/977?lang=fr  10.4000/books.pressesenssib.977
(?<![a-z0-9-])persee\.fr/(?:doc|web/revues/home/prescript/article)/([a-z]{2,20})_[0-9]{4}-[0-9]{3}[0-9x]_([0-9]{4})_[a-z]{2,4}_[0-9_-]{1,30}_([0-9]{3,9})(?=[?#]|\Z)  10.3406/\1.\2.\3  https://www.persee.fr/doc/ahess_0395-2649_1986_num_41_2_283274  10.3406/ahess.1986.283274
(?:iopscience|stacks)\.iop\.org/([0-9]{4}-[0-9]{3}[0-9X]/[0-9]{1,4}/[0-9A-Z]{1,4}/[0-9A-Z]{1,8})(?=[/?#]|\Z)  10.1088/\1  https://iopscience.iop.org/0004-637X/767/1/64/pdf  10.1088/0004-637X/767/1/64
publish\.csiro\.au/(?:[a-z]+/(?:pdf/|fulltext/)?|(?:.*[?&])?paper=|\?paper=)([a-z]{2}(?:[0-9]{7}|[0-9]{5}))(?![0-9])  10.1071/\1  http://www.publish.csiro.au/?paper=AS07022  10.1071/AS07022
degruyter\.com/view/.*/([a-z]+[-.][0-9]{4}-[0-9]{4})/                   10.1515/\1                    https://www.degruyter.com/view/j/sagmb.2018.17.issue-3/sagmb-2017-0038/sagmb-2017-0038.xml  10.1515/sagmb-2017-0038
(?<![a-z0-9.-])(?:www\.)?zenodo\.org/(?:record|records|deposit)/([0-9]+)                         10.5281/zenodo.\1             https://zenodo.org/record/6614829  10.5281/zenodo.6614829
figshare\.com/articles/[^?#]*/([0-9]{6,9})/([0-9]{1,2})(?=[?#]|\Z)      10.6084/m9.figshare.\1.v\2    https://figshare.com/articles/dataset/A_title/7504448/5  10.6084/m9.figshare.7504448.v5
figshare\.com/articles/[^?#]*/([0-9]{6,9})/?(?=[?#]|\Z)                  10.6084/m9.figshare.\1        https://figshare.com/articles/dataset/A_title/7504448  10.6084/m9.figshare.7504448
//osf\.io/([a-z0-9]{5})(?=[/?#]|\Z)                                     10.17605/OSF.IO/\1            https://osf.io/vw2su/  10.17605/OSF.IO/vw2su
//osf\.io/preprints/(?:osf/)?([a-z0-9]{5})(?:_v[0-9]{1,2})?(?=[/?#]|\Z)  10.31219/osf.io/\1  https://osf.io/preprints/osf/ab3cd  10.31219/osf.io/ab3cd
(?://osf\.io/preprints/psyarxiv|//(?:www\.)?psyarxiv\.com)/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31234/osf.io/\1  https://psyarxiv.com/ab3cd/  10.31234/osf.io/ab3cd
//osf\.io/preprints/socarxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31235/osf.io/\1  https://osf.io/preprints/socarxiv/ab3cd  10.31235/osf.io/ab3cd
(?://osf\.io/preprints/edarxiv|//(?:www\.)?edarxiv\.org)/([a-z0-9]{5})(?=[/?#_]|\Z)  10.35542/osf.io/\1  https://edarxiv.org/ab3cd  10.35542/osf.io/ab3cd
(?://osf\.io/preprints/metaarxiv)/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31222/osf.io/\1  https://osf.io/preprints/metaarxiv/ab3cd  10.31222/osf.io/ab3cd
//osf\.io/preprints/agrixiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31220/osf.io/\1  https://osf.io/preprints/agrixiv/ab3cd  10.31220/osf.io/ab3cd
//osf\.io/preprints/eartharxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31223/osf.io/\1  https://osf.io/preprints/eartharxiv/ab3cd  10.31223/osf.io/ab3cd
//osf\.io/preprints/engrxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31224/osf.io/\1  https://osf.io/preprints/engrxiv/ab3cd  10.31224/osf.io/ab3cd
//osf\.io/preprints/lawarxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31228/osf.io/\1  https://osf.io/preprints/lawarxiv/ab3cd  10.31228/osf.io/ab3cd
//osf\.io/preprints/mindrxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31231/osf.io/\1  https://osf.io/preprints/mindrxiv/ab3cd  10.31231/osf.io/ab3cd
//osf\.io/preprints/paleorxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31233/osf.io/\1  https://osf.io/preprints/paleorxiv/ab3cd  10.31233/osf.io/ab3cd
//osf\.io/preprints/sportrxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31236/osf.io/\1  https://osf.io/preprints/sportrxiv/ab3cd  10.31236/osf.io/ab3cd
//osf\.io/preprints/thesiscommons/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31237/osf.io/\1  https://osf.io/preprints/thesiscommons/ab3cd  10.31237/osf.io/ab3cd
//osf\.io/preprints/africarxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.31730/osf.io/\1  https://osf.io/preprints/africarxiv/ab3cd  10.31730/osf.io/ab3cd
//osf\.io/preprints/mediarxiv/([a-z0-9]{5})(?=[/?#_]|\Z)  10.33767/osf.io/\1  https://osf.io/preprints/mediarxiv/ab3cd  10.33767/osf.io/ab3cd
(?:rfc-editor\.org/(?:rfc|info|pdfrfc)|ietf\.org(?:/doc)?(?:/html|/pdf)?|ietf\.org/rfc)/rfc([0-9]{4})(?![0-9])  10.17487/RFC\1  https://www.rfc-editor.org/info/rfc3651  10.17487/RFC3651
nber\.org/(?:system/files/working_papers|papers)/([wth][0-9]{4,5})(?=[/?#.]|\Z)  10.3386/\1  https://www.nber.org/papers/w24567  10.3386/w24567
copernicus\.org/preprints/(?:20[0-9]{2}/)?([a-z]{2,10}-20[0-9]{2}-[0-9]{1,5})(?=[/?#]|\Z)  10.5194/\1  https://egusphere.copernicus.org/preprints/2023/egusphere-2023-1234/  10.5194/egusphere-2023-1234
jmir\.org/20(?:1[89]|2[0-9])/[0-9]{1,2}/e([0-9]{4,6})(?=[/?#]|\Z)  10.2196/\1  https://mhealth.jmir.org/2018/12/e10918/  10.2196/10918
scielo\.[a-z.]{2,7}/[^?#]{0,80}\?(?:[^#]*&)?pid=(S[0-9]{4}-[0-9]{3}[0-9X][0-9]{13})(?![0-9])  10.1590/\1  https://www.scielo.br/scielo.php?script=sci_arttext&pid=S0100-29452013000400019  10.1590/S0100-29452013000400019
aclanthology\.org/(20[0-9]{2}\.[a-z]+-[a-z]+\.[0-9]+)                  10.18653/v1/\1                https://aclanthology.org/2020.acl-main.442/  10.18653/v1/2020.acl-main.442
oecd\.org/[^?#]*_([0-9a-f]{8}-[a-z]{2})(?:\.html)?(?=[?#]|\Z)         10.1787/\1                    https://www.oecd.org/en/publications/a-title_f2a165e7-en.html  10.1787/f2a165e7-en
"""
_NUMBERED_ADDRESSES = r"""
(?<![a-z0-9-])jstor\.org/(?:stable|pss)/(?:pdf/|info/)?([0-9]{4,9}|(?:j\.ct|resrep|community\.)[a-z0-9]{4,10}(?:\.[0-9]{1,3})?)(?:\.pdf)?(?=[/?#]|\Z)  10.2307/\1  https://www.jstor.org/stable/1914185  10.2307/1914185
(?<![a-z0-9-])arxiv\.org/(?:abs|pdf|html|format|e-print|ps|src)/(?:arxiv:)?([0-9]{4}\.[0-9]{4,5})(?![0-9])  10.48550/arXiv.\1  https://arxiv.org/pdf/1706.03762v5.pdf  10.48550/arXiv.1706.03762
(?<![a-z0-9-])arxiv\.org/(?:abs|pdf|html|format|e-print|ps|src)/(?:arxiv:)?([a-z-]{2,12})(?:\.[a-z]{2})?/([0-9]{7})(?![0-9])  10.48550/arXiv.\1/\2  https://arxiv.org/abs/math.GT/0309136  10.48550/arXiv.math/0309136
"""


_WITHOUT_SCHEME = compile_late(r"\A(?=(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12}/\S{1,500}\Z)", re.IGNORECASE)
_AN_ADDRESS = compile_late(r"(?:(?:https?:)?//|www\.)\S+\Z", re.IGNORECASE)
_ADDRESS_IN_TEXT = compile_late(r"""(?:https?:)?//[^\s<>"'()\[\]{}|\\^`]{5,2000}""", re.IGNORECASE)
_BEHIND_PROXY = compile_late(
    r"//(?:0-)?([a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){0,3}?[.-](?:com|org|net|edu|fr|gov))\.[a-z0-9.-]{1,200}(?=[:/])",
    re.IGNORECASE,
)
"""A publisher's host behind a library's proxy: www-jstor-org.proxy.lib.edu, www.jstor.org.proxy.lib.edu."""


def _build_rewritings(table: str, end: str) -> tuple[Rewriting, ...]:
    return tuple(
        Rewriting(compile_late(pattern + end, re.IGNORECASE), name, (given, right), SOURCE)
        for pattern, name, given, right in split_rows(table)
    )


SOURCE = (
    "citation-bot, UrlToolsTest; tests/doi_reading/corpus/addresses.tsv names the source of each address; the prefixes of "
    "OSF's services: its own migration add_doi_prefix; the American Physical Society's: its link rules in BibTeX mode"
)
NAMES = _build_rewritings(_NAMES, r"\Z")
"""Rules of publishers whose addresses hold another name than the registered one; applied to names. Each pattern begins
with the prefix."""
_REWRITTEN_PREFIXES = frozenset(rule.pattern.pattern.partition("/")[0].replace("\\", "") for rule in NAMES)
ADDRESSES = _build_rewritings(_ADDRESSES, "")
"""Addresses that hold the parts of a name but not the name; applied to whole addresses without a name."""
NUMBERED_ADDRESSES = _build_rewritings(_NUMBERED_ADDRESSES, "")
"""Addresses of registrants that gave many works a name with the number in it, but not all: few lists hold them, so
that such a name is requested only if nothing else in the text is registered."""
_LINKING_HUB = compile_late(r"linkinghub\.elsevier\.com/retrieve/", re.IGNORECASE)
"""The address to which Elsevier's names lead has the same number as that of ScienceDirect."""


def restore_registered_name(name: str) -> str:
    """Return the registered name if `name` is a publisher's rewritten form of it, else `name`."""
    if name.partition("/")[0] not in _REWRITTEN_PREFIXES:
        return name
    for rule in NAMES:
        match = rule.pattern.match(name)
        if match:
            return match.expand(rule.name)
    return name


def find_names_in_address(text: str) -> list[str]:
    """Return the names that a publisher's address may mean, behind a library's proxy too: the text, or the only such
    address in it. None if no rule matches."""
    return _find_names_in_text(text, ADDRESSES)


def find_numbered_names_in_address(text: str) -> list[str]:
    """Return the names that an address in the text may mean of which only many have one; none if no rule matches."""
    direct = _LINKING_HUB.sub("sciencedirect.com/science/article/", text)
    return _find_names_in_text(direct, NUMBERED_ADDRESSES if direct == text else ADDRESSES)


def _find_names_in_text(text: str, rules: tuple[Rewriting, ...]) -> list[str]:
    whole = _WITHOUT_SCHEME.sub("//", text, count=1)
    is_address = _AN_ADDRESS.match(whole) is not None
    if is_address and (names := _find_names(rules, whole)):
        return names
    addresses = {match[0].rstrip(".,;:") for match in islice(_ADDRESS_IN_TEXT.finditer(text), 20)}
    if is_address:
        addresses.discard(whole)  # no rule matches it
    meant = [found for address in addresses if (found := _find_names(rules, address))]
    return meant[0] if len(meant) == 1 else []


def _find_names(rules: tuple[Rewriting, ...], address: str) -> list[str]:
    start = address[:500]  # some patterns have gaps: a limit keeps them fast
    direct = _BEHIND_PROXY.sub(lambda host: "//" + host[1].replace("-", "."), start, count=1)
    matches = ((rule, rule.pattern.search(one)) for one in dict.fromkeys((start, direct)) for rule in rules)
    return list(dict.fromkeys(match.expand(rule.name) for rule, match in matches if match))
