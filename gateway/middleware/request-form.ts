import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { RequestState } from '../context.js';

const mostHeaders = 100;
/** A name or an address, with an optional port. */
const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i;
const highestPort = 65_535;

/** Refuses requests that Node's parser accepts but that proxies may interpret differently. */
export const requestForm = (): Middleware<RequestState> => (ctx, next) => {
  const { httpVersion, url = '' } = ctx.req;
  if (!httpVersion.startsWith('1.')) {
    ctx.set('Connection', 'close');
    throw wrongVersion(ctx.req);
  }
  checkHeaders(ctx.req);
  if (!url.startsWith('/')) throw refused('the request target must be a path, or a URL of this service');
  if (url.includes('#')) throw refused('the request target must not have a fragment');
  return next();
};

/** Refuses too many headers, a missing, repeated or invalid Host, and transfer codings other than chunked. */
function checkHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > 2 * mostHeaders)
    throw new AppError('headers_too_large', `at most ${mostHeaders} headers are allowed`);
  const hosts = rawHeaders.filter((name, n) => n % 2 === 0 && /^host$/i.test(name)).length;
  const isOld = httpVersion === '1.0';
  if (hosts > 1 || (hosts === 0 && !isOld)) throw refused(`one Host header is expected, found ${hosts}`);
  if (headers.host !== undefined && !isHost(headers.host))
    throw refused('the Host header is not a valid host');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (isOld || coding.toLowerCase() !== 'chunked'))
    throw refused('Transfer-Encoding must be "chunked", and needs HTTP/1.1');
}

function isHost(text: string): boolean {
  const found = hostForm.exec(text);
  return found !== null && Number(found[1] ?? 0) <= highestPort;
}

/** A request line without a version counts as HTTP/0.9. */
function wrongVersion({ httpVersion, httpVersionMajor }: IncomingMessage): AppError {
  const message = `HTTP/1.1 and HTTP/1.0 are supported, found HTTP/${httpVersion}`;
  return httpVersionMajor === 0 ? refused(message) : new AppError('http_version_not_supported', message);
}

const refused = (message: string) => new AppError('invalid_input', message);
