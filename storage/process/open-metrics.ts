import type { MetricsServer, Readiness } from './metrics-server.js';
import type { Settings } from './settings.js';

/**
 * Serves the metrics of this process. If METRICS_PORT is empty, the library is not loaded and the answer is undefined. Throws
 * `port_in_use`, `invalid_settings`.
 */
export async function openMetrics(
  { METRICS_PORT: port, METRICS_HOST: host }: Pick<Settings, 'METRICS_PORT' | 'METRICS_HOST'>,
  readiness: Readiness,
): Promise<MetricsServer | undefined> {
  if (port === null) return undefined;
  const [{ collectDefaultMetrics }, { Metrics }, { serveMetrics }] = await Promise.all([
    import('prom-client'),
    import('./metrics.js'),
    import('./metrics-server.js'),
  ]);
  const metrics = new Metrics();
  collectDefaultMetrics({ register: metrics.registry });
  return serveMetrics(metrics, readiness, { host, port });
}
