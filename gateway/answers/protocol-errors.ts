import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorCode } from '../../compute/model/errors.js';
import { errorBody } from './error-form.js';
import { dataHeaders } from '../middleware/security-headers.js';

/** Answers to errors of Node's HTTP parser, by error code. */
const refusals: Partial<Record<string, [line: string, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    'the headers are too large',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['400 Bad Request', 'invalid_body', 'chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'invalid_body', 'the request took too long to arrive'],
};
const badRequest = ['400 Bad Request', 'invalid_body', 'the request is not valid HTTP'] as const;

/** Answers bytes that are not valid HTTP, and ends the connection: where the next request begins is unknown. */
export function answerParserError(error: ParserError, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [line, code, message] = refusals[error.code ?? ''] ?? badRequest;
  end(socket, line, refusal(pathIn(error.rawPacket), new AppError(code, message)));
}

/** Answers CONNECT, for which Node emits an event of its own. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  const { headers, body } = refusal('/', new AppError('method_not_allowed', 'CONNECT is not supported'));
  end(socket, '405 Method Not Allowed', { headers: { ...headers, Allow: 'GET, POST' }, body });
}

/** Answers an Expect header other than 100-continue, for which Node emits an event of its own. */
export function answerExpectation(
  { url = '/', headers: { expect } }: IncomingMessage,
  response: ServerResponse,
): void {
  const message = `the expectation "${expect?.slice(0, 60)}" is not supported`;
  const { headers, body } = refusal(url, new AppError('invalid_input', message));
  response.writeHead(417, headers).end(body);
}

interface ParserError extends NodeJS.ErrnoException {
  /** The bytes with the fault; absent after a timeout without bytes. */
  rawPacket?: Buffer;
}

/** The path in the packet; '/' if the packet does not start with a request line. */
const pathIn = (packet?: Buffer): string =>
  /^[A-Z]+ (\/\S*)/.exec(packet?.toString('latin1', 0, 100) ?? '')?.[1] ?? '/';

interface Refusal {
  headers: Record<string, string>;
  body: string;
}

/** Headers and body of an error on a connection that is closed afterwards. */
function refusal(path: string, error: AppError): Refusal {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(path, error, requestId));
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    ...dataHeaders,
  };
  return { headers, body };
}

function end(socket: Duplex, line: string, { headers, body }: Refusal): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${line}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
