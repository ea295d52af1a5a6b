import type { ParameterizedContext } from 'koa';
import type { LiveReader } from '../live/live-reader.js';
import type { OperationResult } from '../operation.js';
import type { ExtraInput } from './envelope-input.js';
import { takeOver } from './stream-answer.js';

/** The header with which browsers open a stream again. What is no id is one that is not known. */
export const lastEventId: ExtraInput = ({ req }) => {
  const id = req.headersDistinct['last-event-id']?.join();
  return id === undefined ? {} : { lastEventId: id === '' ? '-' : id.slice(0, 100) };
};

/** Answers with what the reader hears of, until it leaves. */
export function sendLive(ctx: ParameterizedContext, { payload: reader }: OperationResult<LiveReader>): void {
  takeOver(ctx);
  reader.attach(ctx.res);
  if (ctx.method === 'HEAD' || reader.options.endsAtMs <= Date.now()) reader.leave();
}
