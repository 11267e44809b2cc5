"""21 January 2004, 14:14: the day first, and no am or pm, for readers of English anywhere."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
MOMENT_FORMAT = "j F Y, H:i:s"  # ours: Django has no name for it
