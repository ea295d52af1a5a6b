import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { RequestState } from '../context.js';

const mostHeaders = 100;
/** A name or an address, with an optional port. */
const host = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** Refuses requests that Node's parser accepts but that proxies may interpret differently. */
export const requestForm = (): Middleware<RequestState> => async (ctx, next) => {
  checkHeaders(ctx.req);
  if (!ctx.req.url?.startsWith('/')) throw refused('the request target must be a path');
  await next();
};

/** Refuses too many headers, a missing, repeated or invalid Host, and transfer codings other than chunked. */
function checkHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > 2 * mostHeaders)
    throw new AppError('headers_too_large', `at most ${mostHeaders} headers are allowed`);
  const hosts = rawHeaders.filter((name, n) => n % 2 === 0 && /^host$/i.test(name)).length;
  const isOld = httpVersion === '1.0';
  if (hosts > 1 || (hosts === 0 && !isOld)) throw refused(`one Host header is expected, found ${hosts}`);
  if (headers.host && !host.test(headers.host)) throw refused('the Host header is not a valid host');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (isOld || coding.toLowerCase() !== 'chunked'))
    throw refused('Transfer-Encoding must be "chunked", and needs HTTP/1.1');
}

const refused = (message: string) => new AppError('invalid_input', message);
