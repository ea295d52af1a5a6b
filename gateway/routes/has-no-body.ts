import type { ParameterizedContext } from 'koa';

/** Whether a request comes without a body, or with an empty one. */
export const hasNoBody = ({ req }: Pick<ParameterizedContext, 'req'>): boolean =>
  req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;
