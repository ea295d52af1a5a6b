import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenLocally } from './listen-locally.js';

/** A span as it came in. */
export interface CollectedSpan {
  service: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  /** Ids of the spans it points to. */
  links: string[];
  failed: boolean;
}

/** A collector that takes OTLP over HTTP in JSON, and keeps what it is sent. */
export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** How many times spans were sent. */
  posts: number;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface SentSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  links: { spanId: string }[];
  status: { code: number };
}

interface Sent {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function openCollector(): Promise<Collector> {
  const collector = { url: '', spans: [] as CollectedSpan[], posts: 0, close };
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      if (isTraces) collector.posts++;
      if (isTraces) collector.spans.push(...spansOf(body as Sent));
      response.writeHead(isTraces ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  collector.url = await listenLocally(server);
  async function close() {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
  return collector;
}

const spansOf = ({ resourceSpans }: Sent): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(plain(resource.attributes)['service.name']),
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        attributes: plain(span.attributes),
        links: span.links.map(({ spanId }) => spanId),
        failed: span.status.code === 2,
      })),
    ),
  );
