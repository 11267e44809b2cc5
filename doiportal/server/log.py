"""gunicorn's own lines, written as those of the portal: `--logger-class doiportal.server.log.PortalLog`."""

import logging.config

from django.conf import settings
from gunicorn.config import Config
from gunicorn.glogging import Logger


class PortalLog(Logger):
    """gunicorn's logger without handlers of its own."""

    def setup(self, cfg: Config) -> None:
        """Leave the lines to the root logger, as the settings have it: gunicorn logs before Django is ready."""
        logging.config.dictConfig(settings.LOGGING)
        self.cfg = cfg
        self.error_log.propagate = True
        self.error_log.setLevel(logging.NOTSET)  # LOG_LEVEL decides
