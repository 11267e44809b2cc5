"""What is logged, and how a line looks: when, how bad, which part, and what happened."""

from typing import Any


def logging_from(level: str) -> dict[str, Any]:
    """Django's LOGGING: everything from this level on to standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # A sweep every 15 seconds is not news; a task that fails is.
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
        },
    }
