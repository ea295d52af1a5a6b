import { firstCandleFrom } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { intervalMs, type ResearchInterval } from '../model/interval.js';
import { firstReady, type RuleAsset } from './trade-rules.js';

export type NamedRuleAsset = RuleAsset & { asset: string };

/**
 * The time from which rules are traded: the first candle from `fromMs` on at which every column of some asset has a value, and a
 * sentence where that is later than asked. Throws `not_enough_history`, naming the column that lacks most.
 */
export function researchWindow(
  assets: readonly NamedRuleAsset[],
  interval: ResearchInterval,
  fromMs: number | null,
): { fromMs: number; note: string | null } {
  const starts = assets.map(({ candles: { time }, decisions }) => {
    const begin = firstReady(decisions, firstCandleFrom(time, fromMs ?? -Infinity));
    return begin < time.length ? time[begin] : Infinity;
  });
  const start = Math.min(...starts);
  if (start === Infinity) throw lacking(assets, interval, fromMs);
  const first = Math.min(...assets.map(({ candles: { time } }) => time[0] ?? Infinity));
  const lengthMs = intervalMs(interval);
  const asked = fromMs === null ? first : Math.ceil(fromMs / lengthMs) * lengthMs;
  if (start <= asked) return { fromMs: start, note: null };
  const { slowest } = assets[starts.indexOf(start)].decisions;
  const at = new Date(start).toISOString();
  const why =
    start > first && asked >= first
      ? `${slowest.name} has no value before`
      : 'the history lacks values before';
  return { fromMs: start, note: `the window starts ${at}, later than asked: ${why}` };
}

function lacking(
  assets: readonly NamedRuleAsset[],
  interval: ResearchInterval,
  fromMs: number | null,
): AppError {
  const slow = assets.find(({ decisions }) => decisions.slowest.at < 0) ?? assets[0];
  const { time } = slow.candles;
  const found = time.length;
  const since = fromMs === null ? '' : ` from ${new Date(fromMs).toISOString()} on`;
  const last = found > 0 && fromMs !== null ? `, the last of ${new Date(time[found - 1]).toISOString()}` : '';
  const had =
    found === 0
      ? `no closed ${interval} candle before the end of the window`
      : `${found} closed ${interval} candles in all${last}`;
  const message = `"${slow.decisions.slowest.name}" has no value on any candle${since}: ${slow.asset} has ${had}`;
  // Without a field the asset is at fault.
  const field = found === 0 ? 'to' : fromMs !== null && time[found - 1] < fromMs ? 'from' : null;
  return new AppError('not_enough_history', message, { details: { found, ...(field && { field }) } });
}
