import { coreLineBasis, coreLineJob } from '../../jobs/definitions/core-line.js';
import type { Series } from '../../storage/series.js';
import type { Caller, Deps } from '../context.js';

/**
 * What `read` finds in the stored core line of a series, computed first if it was never computed or has been
 * overtaken by a candle. At most one computation is waited for: a candle that closes meanwhile is for the next.
 */
export async function readCoreLine<View extends { basis: string }>(
  series: Series,
  read: () => Promise<View | null>,
  { queues }: Deps,
  { requestId, signal, timings }: Caller,
): Promise<View> {
  const stored = await read();
  if (stored?.basis === coreLineBasis(series.digest)) return stored;
  const { market, base, quote, interval, digest } = series;
  const payload = { key: { market, base, quote, interval }, digest };
  const answer = await queues.run(coreLineJob, payload, { traceId: requestId, signal });
  Object.assign(timings, answer.timings);
  return (await read())!;
}
