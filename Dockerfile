# The portal as one image; docker-compose.yml runs it as web, worker and beat.
FROM python:3.12-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 DOIPORTAL_DATA_DIR=/data HOST=0.0.0.0 PORT=8000
WORKDIR /app

COPY requirements.txt .
RUN pip install --require-hashes -r requirements.txt

COPY manage.py ./
COPY doiportal doiportal
COPY resolver resolver
COPY templates templates
COPY locale locale
COPY static static

# Not as root: what strangers upload is read by this account, which may write to its data folder and nowhere else.
RUN useradd --system --uid 10001 --home-dir /data doiportal && mkdir /data && chown doiportal:doiportal /data
USER doiportal
VOLUME /data
EXPOSE 8000

CMD ["gunicorn", "doiportal.wsgi", "--worker-class", "doiportal.server.worker.Worker", "--preload", "--workers", "2", "--threads", "8", "--timeout", "120", "--keep-alive", "75", "--graceful-timeout", "8", "--limit-request-line", "8190", "--no-control-socket", "--logger-class", "doiportal.server.log.PortalLog", "--bind", "0.0.0.0:8000"]
