import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type ErrorCode } from '../compute/model/errors.js';
import { failed } from './envelope.js';
import { headersOfData } from './middleware/security-headers.js';

const answerHeaders = Object.entries(headersOfData)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** What Node's parser refuses, by the code of its error. */
const refusals: Partial<Record<string, [line: string, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    'the headers are too large',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Payload Too Large',
    'body_too_large',
    'chunk extensions are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'invalid_body', 'the request took too long to arrive'],
};
const malformed = ['400 Bad Request', 'invalid_body', 'the request is not HTTP as it should be'] as const;

/** Answers bytes that are no request. The connection ends: nobody knows where the next request begins. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [line, code, message] = refusals[error.code ?? ''] ?? malformed;
  end(socket, line, new AppError(code, message));
}

/** Answers CONNECT, which Node hands over apart from all other methods. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  end(
    socket,
    '405 Method Not Allowed',
    new AppError('method_not_allowed', 'CONNECT is not taken'),
    'Allow: GET, POST\r\n',
  );
}

/** Answers an expectation other than 100-continue, which Node hands over apart, too. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const error = new AppError('invalid_input', 'no expectation but "100-continue" is met');
  const body = JSON.stringify(failed(error, requestId));
  response.writeHead(417, {
    ...headersOfData,
    // Whether the body comes all the same, nobody knows.
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'x-request-id': requestId,
  });
  response.end(body);
}

function end(socket: Duplex, line: string, error: AppError, headers = ''): void {
  const requestId = randomUUID();
  const body = JSON.stringify(failed(error, requestId));
  const length = Buffer.byteLength(body);
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${length}\r\nx-request-id: ${requestId}\r\n${answerHeaders}${headers}\r\n${body}`,
    () => socket.destroy(),
  );
}
