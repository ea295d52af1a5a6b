import type { AppError } from '../../compute/model/errors.js';
import { bareFailure } from './bare.js';

/** The code that JSON-RPC leaves to servers, and those it fixes for bodies that are no request. */
const serverError = -32_000;
const parseError = -32_700;
const invalidRequest = -32_600;

/** The body of an error of the MCP connector that is one of the HTTP request, not of a message in it. */
export function mcpFailure(error: AppError, requestId: string): object {
  const { message, ...data } = bareFailure(error, requestId).error;
  return { jsonrpc: '2.0', error: { code: rpcCode(error), message, data }, id: null };
}

function rpcCode({ code, kind }: AppError): number {
  if (code === 'invalid_body') return parseError;
  return kind === 'invalid' ? invalidRequest : serverError;
}
