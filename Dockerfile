# The portal as one image; docker-compose.yml runs it as web, worker and beat. `make image` builds it.

# requirements.txt is compiled on 3.11, the oldest Python that the portal runs on: a newer one may need other packages.
ARG PYTHON_VERSION=3.11

# The packages, with what is needed to fetch them. Nothing but /opt/venv goes on.
FROM python:${PYTHON_VERSION}-slim-bookworm AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CERT=/etc/ssl/certs/ca-certificates.crt
RUN python -m venv /opt/venv
COPY requirements.txt .
# Both secrets are optional: pip's configuration and the certificates of a network that fetches packages in its own way.
RUN --mount=type=secret,id=pip.conf,target=/etc/pip.conf \
    --mount=type=secret,id=ca-certificates,target=/etc/ssl/certs/ca-certificates.crt \
    /opt/venv/bin/pip install --require-hashes -r requirements.txt

FROM python:${PYTHON_VERSION}-slim-bookworm
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 DOIPORTAL_DATA_DIR=/data STATIC_DIR=/app/collected HOST=0.0.0.0 PORT=8000
WORKDIR /app
COPY --from=packages /opt/venv /opt/venv

COPY manage.py ./
COPY doiportal doiportal
COPY resolver resolver
COPY doi_reading doi_reading
COPY templates templates
COPY locale locale
COPY static static

# The root file system may be read-only: code is compiled and static files are collected here, not at each start.
RUN python -m compileall -q doiportal resolver doi_reading && mkdir -p "$STATIC_DIR" \
    && DOIPORTAL_DATA_DIR=/tmp/build python manage.py collectstatic --noinput --verbosity 0 && chmod -R a+rX "$STATIC_DIR" && rm -rf /tmp/build
ENV PYTHONDONTWRITEBYTECODE=1

# Not as root: what strangers upload is read by this account, which may write to its data folder and nowhere else.
RUN groupadd --system --gid 10001 doiportal && useradd --system --uid 10001 --gid 10001 --home-dir /data doiportal \
    && mkdir -m 700 /data && chown doiportal:doiportal /data
USER doiportal
VOLUME /data
EXPOSE 8000

CMD ["gunicorn", "doiportal.wsgi", "--worker-class", "doiportal.server.worker.Worker", "--preload", "--workers", "2", "--threads", "8", "--timeout", "120", "--keep-alive", "75", "--graceful-timeout", "8", "--limit-request-line", "8190", "--no-control-socket", "--logger-class", "doiportal.server.log.PortalLog", "--bind", "0.0.0.0:8000"]
