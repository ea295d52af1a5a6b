import type { Context } from 'koa';

/**
 * Whether the whole answer went to the client; to be asked when the response closes. Node calls a response finished, too, if
 * its connection was destroyed with a part of the answer unsent.
 */
export const isAnswered = ({ req, res }: Pick<Context, 'req' | 'res'>): boolean =>
  res.writableFinished && !req.socket.destroyed;
