import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse, type IncomingMessage } from 'node:http';
import { AppError, type ErrorCode } from '../../compute/model/errors.js';
import { dataHeaders } from '../middleware/security-headers.js';
import { errorBody, isPartnerPath } from './failure-answer.js';
import { badCredentials } from '../auth/bad-credentials.js';

/** An error that is answered outside the middleware, on a connection that is closed afterwards. */
export class Refusal {
  readonly #status: number;
  readonly #path: string;
  readonly #error: AppError;
  readonly #headers: Record<string, string>;

  constructor(status: number, path: string, error: AppError, headers: Record<string, string> = {}) {
    this.#status = status;
    this.#path = path.split('?', 1)[0];
    this.#error = error;
    this.#headers = headers;
  }

  /** The whole answer as bytes for the socket. */
  message(): string {
    const { headers, body } = this.#answer(randomUUID());
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${this.#status} ${STATUS_CODES[this.#status]}\r\n${lines.join('')}\r\n${body}`;
  }

  /** Answers a request with it, unless its answer has begun. */
  send(response: ServerResponse): void {
    if (response.headersSent) return;
    const { headers, body } = this.#answer(String(response.getHeader('x-request-id') ?? randomUUID()));
    response.writeHead(this.#status, headers).end(body);
  }

  #answer(requestId: string): { headers: Record<string, string>; body: string } {
    const body = JSON.stringify(errorBody(this.#path, this.#error, requestId));
    const headers = {
      Connection: 'close',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'x-request-id': requestId,
      ...dataHeaders,
      ...this.#headers,
    };
    return { headers, body };
  }
}

const otherVersion = [505, 'http_version_not_supported', 'HTTP/1.1 and HTTP/1.0 are supported'] as const;

/** Answers to errors of Node's HTTP parser, by error code. */
const refusals: Partial<Record<string, readonly [status: number, code: ErrorCode, message: string]>> = {
  // HTTP/2 without an upgrade.
  HPE_PAUSED_H2_UPGRADE: otherVersion,
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [400, 'invalid_body', 'chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'invalid_body', 'the request took too long to arrive'],
};
const badRequest = [400, 'invalid_body', 'the request is not valid HTTP'] as const;

export interface ParserError extends NodeJS.ErrnoException {
  /** What the parser says: "Invalid HTTP version" of one that is well-formed, such as HTTP/1.2. */
  reason?: string;
  /** The packet with the fault, and where in it that is; absent after a timeout. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** The answer to bytes that are not valid HTTP, or that do not arrive in time, in the form of the API that the path belongs to. */
export function parserRefusal({ code: fault = '', reason }: ParserError, path: string): Refusal {
  const [status, code, message] =
    reason === 'Invalid HTTP version' ? otherVersion : (refusals[fault] ?? badRequest);
  // A key that is too large to be read counts as an invalid key.
  if (code === 'headers_too_large' && isPartnerPath(path)) return new Refusal(403, path, badCredentials());
  return new Refusal(status, path, new AppError(code, message));
}

/** The answer to CONNECT. */
export const connectRefusal = (): Refusal =>
  new Refusal(405, '/', new AppError('method_not_allowed', 'CONNECT is not supported'), {
    Allow: 'GET, POST',
  });

/** Answers an Expect header other than 100-continue. */
export function answerExpectation(
  { url = '/', headers: { expect } }: IncomingMessage,
  response: ServerResponse,
): void {
  const message = `the expectation "${expect?.slice(0, 60)}" is not supported`;
  new Refusal(417, url, new AppError('invalid_input', message)).send(response);
}
