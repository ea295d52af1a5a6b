import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { AppError } from '../../compute/model/errors.js';
import { dataHeaders } from '../middleware/security-headers.js';
import { errorBody } from './failure-answer.js';

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
