import {
  SUPPORTED_PROTOCOL_VERSIONS,
  type AuthInfo,
  type JSONRPCMessage,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import type { ParameterizedContext } from 'koa';
import type { McpMessages } from './messages.js';

/** A message that calls a tool. */
export interface SingleCall {
  jsonrpc: '2.0';
  id: string | number;
  method: 'tools/call';
  params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> };
}

/**
 * The call of a request that makes one call, needs no stream, is of a revision up to 2025-11-25, and has only the usual keys.
 * Null for every other request: the SDK's own transports check and answer it.
 */
export function singleCall({ req }: ParameterizedContext, messages: McpMessages | null): SingleCall | null {
  if (messages === null || messages.needsStream || messages.called.length !== 1) return null;
  const { accept = '', 'mcp-protocol-version': revision } = req.headers;
  const isKnown = revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(revision));
  const takesBoth = accept.includes('application/json') && accept.includes('text/event-stream');
  return isKnown && takesBoth && isPlain(messages.body) ? messages.body : null;
}

function isPlain(body: unknown): body is SingleCall {
  if (typeof body !== 'object' || body === null || !hasOnly(body, messageKeys)) return false;
  const { jsonrpc, id, params } = body as Partial<SingleCall>;
  if (jsonrpc !== '2.0' || !(typeof id === 'string' || Number.isSafeInteger(id))) return false;
  if (params === undefined || !isRecord(params) || !hasOnly(params, paramKeys)) return false;
  const { _meta = {} } = params;
  return isRecord(params.arguments ?? {}) && isRecord(_meta) && !isEnvelope(_meta);
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Since revision 2026-07-28 every request carries the revision and facts about the client. */
const isEnvelope = (meta: object): boolean =>
  Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'));

const messageKeys = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramKeys = new Set(['name', 'arguments', '_meta']);
const hasOnly = (value: object, keys: ReadonlySet<string>): boolean =>
  Object.keys(value).every((key) => keys.has(key));

/**
 * Answers single calls in memory, by one server object of the SDK for all of them. As over a shared connection, each message
 * has an id of its own and names its caller. No single call can change the server object. This saves the web requests,
 * responses and streams of the SDK's transports and a server object per call: a quarter of the time of a cached reading.
 */
export class SingleCallServer {
  readonly #waiting = new Map<unknown, (answer: object) => void>();
  readonly #transport: Transport;
  readonly #connected: Promise<void>;
  #calls = 0;

  constructor(server: Server) {
    this.#transport = {
      start: () => Promise.resolve(),
      send: async (message) => this.#receive(message),
      close: () => Promise.resolve(),
    };
    this.#connected = server.connect(this.#transport);
  }

  /** The answer to a call, as JSON text. */
  async answer(call: SingleCall, authInfo: AuthInfo): Promise<string> {
    await this.#connected;
    const id = ++this.#calls;
    const answer = new Promise<object>((resolve) => this.#waiting.set(id, resolve));
    this.#transport.onmessage?.({ ...call, id }, { authInfo });
    return JSON.stringify({ ...(await answer), id: call.id });
  }

  /** Drops notifications and requests of the server, because a client without a stream cannot receive them. */
  #receive(message: JSONRPCMessage): void {
    if (!('id' in message) || 'method' in message) return;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}
