import { coreLineBasis, coreLineJob } from '../../../jobs/definitions/core-line.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import type { Series } from '../../../storage/candles/series.js';
import { stateColors, type CoreLineView } from '../../../compute/model/core-line.js';
import type { Caller, Deps } from '../../context.js';
import { type SeriesInput, keyAndDigest } from './series-input.js';
import { date, figure, intervalOutput, oneOf, stateField, text, type Answered } from '../output-fields.js';

/**
 * What `read` finds in the stored core line of a series, computed first if it was never computed or has been
 * overtaken by a candle. At most one computation is waited for: a candle that closes meanwhile is for the next.
 * `moment` differs between reads before and after a computation.
 */
export async function readCoreLine<View extends { basis: string }>(
  series: Series,
  read: (moment: string) => Promise<View | null>,
  { queues }: Deps,
  caller: Caller,
): Promise<View> {
  const stored = await read('');
  if (stored?.basis === coreLineBasis(series.digest)) return stored;
  const asked = { traceId: caller.requestId, signal: caller.signal };
  const answer = await queues.run(coreLineJob, keyAndDigest(series), asked);
  Object.assign(caller.timings, answer.timings);
  return (await read(series.digest))!;
}

/** What every answer about a core line begins with. */
export const coreLineHead = {
  asset: text('asset symbol'),
  tradeMarket: text('quote currency'),
  interval: intervalOutput(),
  state: stateField('state after the last closed candle; null with fewer than 61 candles').allow(null),
  color: oneOf(Object.values(stateColors), 'colour of the state; null where there is none').allow(null),
  since: date('open time of the candle since which the state holds; null without a state').allow(null),
  price: figure('close of the last candle, in quote currency'),
  readingsDiffer: text(
    'where structure, trend, momentum and summary point and why, if they differ; null if they do not',
  ).allow(null),
  source: text('market the candles come from'),
  asOf: date('close time of the last candle'),
};

export function headOf(
  { asset, tradeMarket, interval }: SeriesInput,
  { market }: Series,
  {
    state,
    since,
    price,
    asOf,
    readingsDiffer,
  }: Pick<CoreLineView, 'state' | 'since' | 'price' | 'asOf' | 'readingsDiffer'>,
): Answered<typeof coreLineHead> {
  return {
    asset,
    tradeMarket,
    interval,
    state,
    color: state && stateColors[state],
    since: since === null ? null : utcTime(since),
    price,
    readingsDiffer,
    source: market,
    asOf: utcTime(asOf),
  };
}
