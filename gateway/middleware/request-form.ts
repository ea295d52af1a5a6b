import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { RequestState } from '../context.js';

const mostHeaders = 100;
/** A name or an address, and maybe a port. */
const host = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** Refuses what Node's parser lets pass and others along the way may read in another way. */
export const requestForm = (): Middleware<RequestState> => async (ctx, next) => {
  checkHeaders(ctx.req);
  if (!ctx.req.url?.startsWith('/')) throw refused('the request target must be a path');
  await next();
};

/** A flood of headers; no Host, several or none that could be one; codings of a body that nobody here knows. */
function checkHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > 2 * mostHeaders)
    throw new AppError('headers_too_large', `at most ${mostHeaders} headers are taken`);
  const hosts = rawHeaders.filter((name, n) => n % 2 === 0 && /^host$/i.test(name)).length;
  const isOld = httpVersion === '1.0';
  if (hosts > 1 || (hosts === 0 && !isOld)) throw refused(`one Host header is expected, found ${hosts}`);
  if (headers.host && !host.test(headers.host)) throw refused('the Host header names no host');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (isOld || coding.toLowerCase() !== 'chunked'))
    throw refused('no Transfer-Encoding but "chunked" is taken, and that from HTTP/1.1 on');
}

const refused = (message: string) => new AppError('invalid_input', message);
