# The web app of damas: `docker build -t damas .`, then `docker run -p 8000:8000 -v damas:/data damas`.
# Reached by a name, and not by localhost or a number, it wants to know that name: -e DAMAS_ALLOWED_HOSTS=damas.local.
# Games are kept in /data (SQLite), or where DATABASE_URL says; compose.yaml starts it with PostgreSQL.

FROM python:3.13-slim-bookworm AS build

RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ cmake ninja-build \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir --prefix=/made ".[web,fast,postgres]"

FROM python:3.13-slim-bookworm

RUN groupadd --system --gid 10001 damas \
    && useradd --system --uid 10001 --gid damas --no-create-home --shell /usr/sbin/nologin damas \
    && install --directory --owner=damas --group=damas /data
COPY --from=build /made /usr/local

ENV DAMAS_HOST=0.0.0.0 \
    DAMAS_PORT=8000 \
    DAMAS_DATA=/data \
    DAMAS_TABLEBASES=/data/tablebases \
    PYTHONUNBUFFERED=1

USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as web; web.urlopen('http://127.0.0.1:' + os.environ['DAMAS_PORT'] + '/readyz', timeout=3)"]

CMD ["damas", "serve", "--open=false", "--json-logs"]
