import type { Log } from './log.js';
import { readEnvironment, type Settings } from './settings.js';

/** By what a trace goes on elsewhere: the headers of W3C Trace Context. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: SpanAttributes;
  /** What it is a part of; null begins a trace. Default: the span under way in this flow of calls. */
  parent?: TraceContext | null | undefined;
}

/** A piece of work with its beginning and end, as a part of a trace. */
export interface Span {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Points to a span elsewhere that had a share in this one. */
  link(to: TraceContext): void;
  /** Runs work of which this is the span under way, whatever it waits for. */
  run<T>(work: () => T): T;
  /** Ends it; `failed` says by which error. */
  end(failed?: string): void;
}

/** The traces of one process. Whoever is given none traces nothing. */
export interface Tracing {
  start(name: string, options?: SpanOptions): Span;
  /** Whether a span is under way in this flow of calls that somebody will see. */
  isRecording(): boolean;
  /** Sends what has ended, within 2 s or not at all. */
  close(): Promise<void>;
}

/**
 * Traces go to the OpenTelemetry collector that the settings name, with all that OTEL_* variables say to the SDK. Where
 * none is named, nothing of the SDK is loaded.
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
  // The SDK reads no `.env` file.
  Object.assign(process.env, Object.fromEntries(variables));
  const { openOtlpTracing } = await import('./otlp-tracing.js');
  return openOtlpTracing({ role, url, log });
}

/** Does work as a part of the recorded span under way, where there is one; its error is the part's. */
export async function traced<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracing?.isRecording()) return work();
  const span = tracing.start(name, options);
  try {
    const result = await span.run(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(failureName(error));
    throw error;
  }
}

/** The code of an error, else its name. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unexpected';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** What a line of the log says of a trace, so that it is found from there. */
export const traceFields = (context: TraceContext | undefined): { otelTraceId?: string } =>
  context ? { otelTraceId: context.traceparent.split('-')[1] } : {};
