/** The W3C Trace Context headers, by which another process continues a trace. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: SpanAttributes;
  /** The parent; null begins a trace. Default: the active span of this asynchronous context. */
  parent?: TraceContext | null | undefined;
}

/** A piece of work in a trace. */
export interface Span {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Links a span of another trace that contributed to this one. */
  link(to: TraceContext): void;
  /** Runs work with this as its active span, across awaits. */
  run<T>(work: () => T): T;
  /** Ends the span; `failed` is the name of the error, if there was one. */
  end(failed?: string): void;
}

/** The tracing of one process. Code that receives undefined instead records nothing. */
export interface Tracing {
  start(name: string, options?: SpanOptions): Span;
  /** Whether this asynchronous context has an active span that is sampled. */
  isRecording(): boolean;
  /** Sends the ended spans; gives up after 2 s. */
  close(): Promise<void>;
}

/** Runs work in a child of the active span, if one is recorded. An error of the work marks the child as failed. */
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

/** The code of an error, or its name if it has none. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unexpected';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** The log fields that point to a trace. */
export const traceFields = (context: TraceContext | undefined): { otelTraceId?: string } =>
  context ? { otelTraceId: context.traceparent.split('-')[1] } : {};
