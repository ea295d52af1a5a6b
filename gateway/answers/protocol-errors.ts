import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, type ErrorCode } from '../../compute/model/errors.js';
import { badCredentials } from '../auth/bad-credentials.js';
import { isPartnerPath } from './failure-answer.js';
import { Refusal } from './refusal.js';

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
