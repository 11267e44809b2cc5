"""Registrants whose names follow from their own identifiers, by the prefix that they use."""

from doi_reading.tables import split_rows

_ROWS = """
10.1007    Springer Nature
10.1016    Elsevier
10.1017    Cambridge University Press
10.1021    American Chemical Society
10.1038    Nature Portfolio
10.1039    Royal Society of Chemistry
10.1051    EDP Sciences
10.1071    CSIRO Publishing
10.1073    PNAS
10.1088    IOP Publishing
10.1090    American Mathematical Society
10.1093    Oxford University Press
10.1101    bioRxiv or medRxiv
10.1103    American Physical Society
10.1107    International Union of Crystallography
10.1136    BMJ
10.1145    ACM
10.1155    Hindawi
10.1175    American Meteorological Society
10.1186    BioMed Central
10.1371    PLOS
10.1515    De Gruyter
10.1590    SciELO
10.1594    PANGAEA
10.1787    OECD
10.2139    SSRN
10.2196    JMIR
10.2307    JSTOR
10.3133    U.S. Geological Survey
10.3386    NBER
10.3389    Frontiers
10.3406    Persée
10.4000    OpenEdition
10.5061    Dryad
10.5194    Copernicus
10.5281    Zenodo
10.6028    NIST
10.6084    figshare
10.7287    PeerJ Preprints
10.7554    eLife
10.7717    PeerJ
10.15585   CDC
10.17487   RFC Editor
10.17605   OSF
10.18653   ACL Anthology
10.20944   Preprints.org
10.21203   Research Square
10.31219   OSF Preprints
10.31220   AgriXiv
10.31222   MetaArXiv
10.31223   EarthArXiv
10.31224   engrXiv
10.31228   LawArXiv
10.31231   MindRxiv
10.31233   PaleorXiv
10.31234   PsyArXiv
10.31235   SocArXiv
10.31236   SportRxiv
10.31237   Thesis Commons
10.31730   AfricArXiv
10.33767   MediArXiv
10.35542   EdArXiv
10.48550   arXiv
10.64898   bioRxiv or medRxiv
"""
REGISTRANTS = dict(split_rows(_ROWS))
"""The name of each, as people know it. A prefix stays where a journal moves to another publisher: this is whose rule
the name follows, not who publishes the work."""
