# Both bases are pinned by the digest of their index of platforms; the tag before it says what it is.
FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package of the service needs a script at its installation.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The archive of a release says which files of dist run.
RUN npm run --silent build && npm pack --silent --ignore-scripts && tar xzf tidemark-*.tgz
# Of ccxt only what `import` loads stays; declarations, sources and maps are for compilers.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/ccxt/dist node_modules/.cache \
  && find node_modules -type f \( -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.map' -o -name '*.md' \) -delete

FROM gcr.io/distroless/nodejs22-debian12:nonroot@sha256:13593b7570658e8477de39e2f4a1dd25db2f836d68a0ba771251572d23bb4f8e
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/package/dist ./dist
# The root may be read-only: nothing is written but DATA_DIR (mails without SMTP_URL, the demo account), on a tmpfs.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0 METRICS_PORT=9464 DATA_DIR=/tmp/tidemark
USER 65532:65532
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["/nodejs/bin/node", "dist/jobs/health.js"]
# The argument is a role (gateway, compute, market, signals) or `admin ...`. Node is process 1 and gets SIGTERM.
ENTRYPOINT ["/nodejs/bin/node", "--enable-source-maps", "dist/jobs/run.js"]
