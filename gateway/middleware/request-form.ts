import type { Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { RequestState } from '../context.js';

const mostHeaders = 100;

/** Refuses what Node's parser lets pass: no Host or several, another host's URL, a flood of headers. */
export const requestForm = (): Middleware<RequestState> => async (ctx, next) => {
  const { rawHeaders } = ctx.req;
  if (rawHeaders.length > 2 * mostHeaders)
    throw new AppError('headers_too_large', `at most ${mostHeaders} headers are taken`);
  const hosts = rawHeaders.filter((name, n) => n % 2 === 0 && /^host$/i.test(name)).length;
  if (hosts > 1 || (hosts === 0 && ctx.req.httpVersion !== '1.0'))
    throw new AppError('invalid_input', `one Host header is expected, found ${hosts}`);
  if (!ctx.req.url?.startsWith('/')) throw new AppError('invalid_input', 'the request target must be a path');
  await next();
};
