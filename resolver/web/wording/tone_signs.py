"""The tones of texts on pages, from bad to good, each with a shape: a colour is never the only sign."""

SIGNS = {"bad": "✗", "unknown": "?", "waits": "…", "warn": "!", "tidy": "~", "good": "✓"}  # the worst tone first


class Toned:
    """A text with a tone. The tone is a colour and the sign a shape; neither is shown without the text."""

    __slots__ = ()
    tone: str

    @property
    def sign(self) -> str:
        """The shape of the tone."""
        return SIGNS[self.tone]
