# askless in a container; docs/deploying.md says how it is used. `make` checks this file and does not
# build it.
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY src src
RUN python -m venv /opt/askless \
    && /opt/askless/bin/pip install --no-cache-dir --disable-pip-version-check \
        -c constraints.txt ".[tables]"

FROM python:3.13-slim
# /data holds the sources and their sessions, /state the secret that signs cookies, and the cache.
RUN useradd --uid 10001 --home-dir /state --no-create-home askless \
    && install -d -m 700 -o askless -g askless /data /state
COPY --from=build /opt/askless /opt/askless
ENV PATH=/opt/askless/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    ASKLESS_STATE=/state/askless \
    ASKLESS_CACHE=/state/cache
USER 10001
WORKDIR /data
VOLUME ["/data", "/state"]
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=10s --start-period=10m \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/healthz', timeout=5)"]
ENTRYPOINT ["askless"]
CMD ["--help"]
