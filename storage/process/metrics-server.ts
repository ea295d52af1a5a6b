import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../servers/listen.js';
import type { Metrics } from './metrics.js';

/** The metrics of this process and the URL that serves them. */
export interface MetricsServer {
  metrics: Metrics;
  url: string;
  close(): Promise<void>;
}

/** Which parts a role needs and has not: `start` until it is ready, `redis` (`redis 2` for the second of several) and `mongodb` while they do not answer, `leaving` at its end. */
export interface Readiness {
  missing: () => Promise<string[]>;
}

/**
 * Serves `GET /metrics` in the Prometheus text format, `/healthz`, which says that the process lives, and `/readyz`, which says
 * whether it can work and else answers 503; 404 for other paths, 405 for other methods.
 */
export async function serveMetrics(
  metrics: Metrics,
  readiness: Readiness,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const limits = { maxHeaderSize: 8 * 1024, connectionsCheckingInterval: 1_000 };
  const server = createServer(
    limits,
    (request, response) => void answer(metrics, readiness, request, response),
  );
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  const address = await listen(server, { host, port, setting: 'METRICS_PORT' });
  return {
    metrics,
    url: `${address}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const paths = ['/metrics', '/healthz', '/readyz'];

async function answer(
  { registry }: Metrics,
  readiness: Readiness,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const end = (status: number, type: string, text: string) =>
    response.writeHead(status, { 'Content-Type': type }).end(request.method === 'HEAD' ? undefined : text);
  const plain = 'text/plain; charset=utf-8';
  const path = request.url?.split('?')[0] ?? '';
  if (!paths.includes(path)) return end(404, plain, `only ${paths.join(', ')} are here\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return end(405, plain, 'only GET and HEAD are allowed\n');
  }
  const json = (status: number, body: object) => end(status, 'application/json', JSON.stringify(body));
  if (path === '/healthz') return json(200, { alive: true });
  if (path === '/readyz') {
    const missing = await readiness.missing();
    // While a Redis after the first is away, the requests on the others go on.
    const ready = missing.every((part) => part.startsWith('redis '));
    return json(ready ? 200 : 503, { ready, missing });
  }
  try {
    return end(200, registry.contentType, await registry.metrics());
  } catch {
    return end(500, plain, 'the metrics could not be read\n');
  }
}
