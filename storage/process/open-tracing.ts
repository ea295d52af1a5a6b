import type { Log } from './log.js';
import { readEnvironment } from './read-settings.js';
import type { Settings } from './settings.js';
import type { Tracing } from './tracing.js';
import type { MetricsServer, Readiness } from './metrics-server.js';

/**
 * Opens tracing to the OpenTelemetry collector in the settings. OTEL_* variables configure the SDK. Without a collector the
 * SDK is not loaded and the answer is undefined.
 */
export async function openTracing(
  settings: Pick<Settings, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'>,
  role: string,
  log: Log,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = settings;
  const url = whole || (collector && `${collector.replace(/\/$/, '')}/v1/traces`);
  const variables = Object.entries(readEnvironment()).filter(([name]) => name.startsWith('OTEL_'));
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = Object.fromEntries(variables);
  if (url === '' || OTEL_SDK_DISABLED === 'true' || OTEL_TRACES_EXPORTER === 'none') return undefined;
  // The SDK does not read `.env` files.
  Object.assign(process.env, Object.fromEntries(variables));
  const { openOtlpTracing } = await import('./otlp-tracing.js');
  return openOtlpTracing({ role, url, log });
}

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
