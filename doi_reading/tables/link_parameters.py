"""Query parameters that are no part of a name: those of the DOI proxy, and those that track visits."""

PROXY_PARAMETERS = frozenset(
    """
    noredirect ignore_aliases auth cert index type urlappend locatt action nols nosfx pretty callback
    """.split()
)
"""The parameters of clauses P6 to P12, A6 and A7; nosfx is the older name of nols."""

TRACKING_PARAMETERS = frozenset(
    """
    src source ref fbclid gclid dclid msclkid yclid twclid igshid mc_cid mc_eid _ga _gl _hsenc _hsmi mkt_tok
    campaign cmpid cid af rss ssource wt.mc_id journalcode needaccess casa_token hootpostid sid spm via icid getft_integrator sap-outbound-id
    """.split()
)
TRACKING_STARTS = ("utm_", "pk_", "piwik_", "mtm_", "ga_", "_x_tr_")


MAY_NAME_A_PAGE = frozenset("src source ref campaign cid rss journalcode sid spm via".split())
"""Those of TRACKING_PARAMETERS with which some sites name a page."""


def is_tracking(key: str) -> bool:
    """Return whether a query parameter only measures visits."""
    return key in TRACKING_PARAMETERS or key.startswith(TRACKING_STARTS)


def is_only_tracking(key: str) -> bool:
    """Return whether a query parameter surely names no page."""
    return is_tracking(key) and key not in MAY_NAME_A_PAGE
