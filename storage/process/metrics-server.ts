import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../servers/listen.js';
import type { Metrics } from './metrics.js';

/** The metrics of this process and the URL that serves them. */
export interface MetricsServer {
  metrics: Metrics;
  url: string;
  close(): Promise<void>;
}

/** Serves `GET /metrics` in the Prometheus text format; 404 for other paths, 405 for other methods. */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const limits = { maxHeaderSize: 8 * 1024, connectionsCheckingInterval: 1_000 };
  const server = createServer(limits, (request, response) => void answer(metrics, request, response));
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

async function answer({ registry }: Metrics, request: IncomingMessage, response: ServerResponse) {
  const end = (status: number, type: string, text: string) =>
    response.writeHead(status, { 'Content-Type': type }).end(request.method === 'HEAD' ? undefined : text);
  const plain = 'text/plain; charset=utf-8';
  if (request.url?.split('?')[0] !== '/metrics') return end(404, plain, 'only /metrics is here\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return end(405, plain, 'only GET and HEAD are allowed\n');
  }
  try {
    return end(200, registry.contentType, await registry.metrics());
  } catch {
    return end(500, plain, 'the metrics could not be read\n');
  }
}
