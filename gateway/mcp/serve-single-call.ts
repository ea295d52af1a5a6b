import {
  SUPPORTED_PROTOCOL_VERSIONS,
  type AuthInfo,
  type JSONRPCMessage,
  type McpServerFactory,
  type Transport,
} from '@modelcontextprotocol/server';
import type { ParameterizedContext } from 'koa';
import type { McpMessages } from './messages.js';

interface SingleCall {
  jsonrpc: '2.0';
  id: string | number;
  method: 'tools/call';
  params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> };
}

/**
 * The one call that a request of a revision up to 2025-11-25 makes, where it is of the plainest form; null for every other
 * request, which the SDK's own transports check and answer.
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
  return isRecord(params.arguments ?? {}) && isRecord(params._meta ?? {}) && !isEnvelope(params._meta ?? {});
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Revisions since 2026-07-28 tell the revision and more about the client with every request. */
const isEnvelope = (meta: object): boolean =>
  Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'));

const messageKeys = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramKeys = new Set(['name', 'arguments', '_meta']);
const hasOnly = (value: object, keys: ReadonlySet<string>): boolean =>
  Object.keys(value).every((key) => keys.has(key));

/**
 * The answer to a single call, as JSON text. A server object takes the message and gives its answer in memory: the web
 * requests, responses and streams of the SDK's transports cost a fifth of a known reading.
 */
export async function serveSingleCall(
  factory: McpServerFactory,
  call: SingleCall,
  authInfo: AuthInfo,
): Promise<string> {
  const server = await factory({ era: 'legacy', authInfo });
  return new Promise((resolve, reject) => {
    const transport: Transport = {
      start: () => Promise.resolve(),
      // What is no answer is a notification, for which a client without a stream has no ear.
      send: async (message: JSONRPCMessage) => {
        if ('id' in message && !('method' in message)) resolve(JSON.stringify(message));
      },
      close: () => Promise.resolve(),
    };
    // Nothing is held open, so nothing has to be closed after the answer.
    server.connect(transport).then(() => transport.onmessage?.(call as JSONRPCMessage, { authInfo }), reject);
  });
}
