import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
} from '@opentelemetry/api';
import {
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
  ExportResultCode,
  type ExportResult,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Log } from './log.js';
import type { Span, SpanAttributes, SpanOptions, TraceContext, Tracing } from './tracing.js';

/** Exports spans. Logs once when exports begin to fail and once when they succeed again. */
class LoggingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #url: string;
  readonly #log: Log;
  #isAway = false;
  #dropped = 0;

  constructor(exporter: SpanExporter, url: string, log: Log) {
    this.#exporter = exporter;
    this.#url = url.replace(/\/\/.*@/, '//***@');
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#note(spans.length, result);
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  #note(count: number, { code, error }: ExportResult): void {
    const about = { collector: this.#url };
    if (code === ExportResultCode.SUCCESS) {
      if (this.#isAway) this.#log.info({ ...about, dropped: this.#dropped }, 'spans arrive again');
      this.#isAway = false;
      this.#dropped = 0;
      return;
    }
    this.#dropped += count;
    if (!this.#isAway) this.#log.warn({ ...about, err: error }, 'spans do not arrive and are dropped');
    this.#isAway = true;
  }
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

const longestCloseMs = 2_000;
const propagator = new W3CTraceContextPropagator();

/** Tracing by the OpenTelemetry SDK, sent as OTLP over HTTP. Invalid OTEL_* variables are logged. */
export function openOtlpTracing({
  role,
  url,
  log,
}: {
  role: string;
  /** The URL to which spans are posted. */
  url: string;
  log: Log;
}): Tracing {
  const warn = (message: string, ...rest: unknown[]) => log.warn({ details: rest.map(String) }, message);
  const quiet = () => undefined;
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new LoggingExporter(new OTLPTraceExporter({ url }), url, log);
  const provider = new BasicTracerProvider({
    resource: resourceOf(role),
    // It drops spans that do not fit into its queue.
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  // From here on the SDK would log each failed batch; LoggingExporter logs a failure once.
  diag.disable();
  setGlobalErrorHandler(quiet);

  const tracer = provider.getTracer('tidemark');
  const underWay = new AsyncLocalStorage<Context>();
  const parentOf = ({ parent }: SpanOptions): Context => {
    if (parent === undefined) return underWay.getStore() ?? ROOT_CONTEXT;
    return parent === null ? ROOT_CONTEXT : contextOf(parent);
  };
  return {
    start(name, options = {}) {
      const parent = parentOf(options);
      const kind = kinds[options.kind ?? 'internal'];
      const span = tracer.startSpan(name, { kind, attributes: given(options.attributes) }, parent);
      return new OtlpSpan(span, trace.setSpan(parent, span), underWay);
    },
    isRecording() {
      const context = underWay.getStore();
      return context !== undefined && trace.getSpan(context)?.isRecording() === true;
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, longestCloseMs);
      });
      await Promise.race([provider.shutdown().catch(quiet), tooLong]);
      clearTimeout(timer);
    },
  };
}

class OtlpSpan implements Span {
  readonly #span: OtelSpan;
  readonly #within: Context;
  readonly #underWay: AsyncLocalStorage<Context>;

  constructor(span: OtelSpan, within: Context, underWay: AsyncLocalStorage<Context>) {
    this.#span = span;
    this.#within = within;
    this.#underWay = underWay;
  }

  get context(): TraceContext {
    const headers = {} as TraceContext;
    propagator.inject(this.#within, headers, defaultTextMapSetter);
    return headers;
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(given(attributes));
  }

  link(to: TraceContext): void {
    const context = trace.getSpanContext(contextOf(to));
    if (context) this.#span.addLink({ context });
  }

  run<T>(work: () => T): T {
    return this.#underWay.run(this.#within, work);
  }

  end(failed?: string): void {
    if (failed !== undefined) {
      this.#span.setAttribute('error.type', failed);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/** The context in trace headers. Invalid headers give an empty context, so a new trace begins. */
const contextOf = (headers: TraceContext): Context =>
  propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);

const given = (attributes: SpanAttributes = {}) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** The resource that sends the spans. Attributes that the operator sets in OTEL_* variables take precedence. */
const resourceOf = (role: string) =>
  defaultResource()
    .merge(
      resourceFromAttributes({ 'service.name': `tidemark-${role}`, 'service.instance.id': randomUUID() }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
