import type { Bars } from '../patterns/rules/bars.js';
import { binomialTest } from '../metrics/binomial-test.js';
import { holmOrNull, significance } from '../metrics/holm.js';
import { meanInterval, meanIntervalField, proportionInterval } from '../metrics/mean-interval.js';
import { field, type Value } from '../model/field.js';
import { nullReason, nullReasonOf } from '../model/null-reason.js';
import { computePattern, sentimentOf } from '../model/pattern.js';
import { standings } from '../model/standing.js';
import { patterns } from '../patterns/index.js';

/** A return after a pattern covers this many candles. */
const followCandles = 5;

/** What names a pattern. */
export const patternFields = {
  name: field.text('name of the pattern'),
  pattern: field.text('name in words'),
  sentiment: field.choice('what the pattern speaks for', standings),
};

const share = (text: string) => field.number(text, { unit: 'percent' });

const follow = field.object('how often price went the way of the pattern', {
  percent: field.nullable(share('share of the counted occurrences; null without one')),
  low: field.nullable(share('lower end of the 95 % interval (Wilson)')),
  high: field.nullable(share('upper end of the 95 % interval (Wilson)')),
  basePercent: share('share of all candles after which price went that way'),
  pValue: field.nullable(
    field.number(
      'two-sided p-value of that share against that of all candles (exact binomial test); null without a counted occurrence',
    ),
  ),
  adjustedP: field.nullable(field.number('p-value corrected for the patterns of the report (Holm)')),
  against: field.choice('better or worse than all candles where the corrected p-value is below 0.05', [
    'better',
    'worse',
    'no different',
  ]),
  reason: nullReason,
});

type Follow = Value<typeof follow>;

/** The same before it is known how many patterns are tested. */
type Tested = Omit<Follow, 'adjustedP' | 'against'>;

export const patternHistoryField = field.object('what followed a pattern over the whole history', {
  ...patternFields,
  seen: field.count('occurrences'),
  counted: field.count('occurrences that count: five candles followed, and none of the four before counts'),
  nextReturn: meanIntervalField('change of the close over the next five candles', 'percent'),
  followed: field.nullable(follow),
  followedReason: nullReasonOf('followed'),
});

export type PatternHistory = Value<typeof patternHistoryField>;

export const baseRateField = field.object('what followed any candle', {
  count: field.count('candles that five others follow; their returns overlap, so there is no interval'),
  meanReturn: field.number('mean change of the close over the next five candles', { unit: 'percent' }),
  upPercent: share('share of candles whose close was higher five candles later'),
  downPercent: share('share of candles whose close was lower five candles later'),
});

export type BaseRate = Value<typeof baseRateField>;

/** The change of the close over the next five candles, in percent, for every candle that has them. */
export function returnsAfter(close: Float64Array): Float64Array {
  const returns = new Float64Array(close.length - followCandles);
  for (let i = 0; i < returns.length; i++) returns[i] = (close[i + followCandles] / close[i] - 1) * 100;
  return returns;
}

/** The base rate from the returns after all candles. */
export function baseRateOf(returns: Float64Array): BaseRate {
  let [sum, up, down] = [0, 0, 0];
  for (let i = 0; i < returns.length; i++) {
    sum += returns[i];
    up += Number(returns[i] > 0);
    down += Number(returns[i] < 0);
  }
  const count = returns.length;
  return { count, meanReturn: sum / count, upPercent: (up / count) * 100, downPercent: (down / count) * 100 };
}

type Kind = Pick<PatternHistory, 'name' | 'sentiment'>;

/**
 * What followed the patterns of these names where they had these sentiments. Each is tested against all candles, and the
 * p-values are corrected for their number: without that, a third of the reports on prices without memory called some
 * pattern better or worse.
 */
export function followPatterns(
  kinds: readonly Kind[],
  bars: Bars,
  returns: Float64Array,
  base: BaseRate,
): PatternHistory[] {
  const histories = kinds.map((kind) => followPattern(kind, bars, returns, base));
  const adjusted = holmOrNull(histories.map(({ followed }) => followed?.pValue ?? null));
  return histories.map(({ followed, ...rest }, n) => ({
    ...rest,
    followed: followed && { ...followed, adjustedP: adjusted[n], against: againstOf(followed, adjusted[n]) },
  }));
}

function againstOf({ percent, basePercent }: Tested, adjustedP: number | null): Follow['against'] {
  if (adjustedP === null || adjustedP >= significance) return 'no different';
  return percent! > basePercent ? 'better' : 'worse';
}

function followPattern(
  { name, sentiment }: Kind,
  bars: Bars,
  returns: Float64Array,
  base: BaseRate,
): Omit<PatternHistory, 'followed'> & { followed: Tested | null } {
  const pattern = patterns.find((each) => each.name === name)!;
  const values = computePattern(pattern, bars);
  const counted: number[] = [];
  let seen = 0;
  let free = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i] === 0 || sentimentOf(pattern, values[i]) !== sentiment) continue;
    seen++;
    if (i < free || i >= returns.length) continue;
    counted.push(returns[i]);
    free = i + followCandles;
  }
  const nextReturn = meanInterval(counted);
  const followed = sentiment === 'neutral' ? null : followOf(sentiment, counted, base);
  const followedReason = followed ? null : 'a neutral pattern has no way for price to go';
  const title = { name, pattern: pattern.title, sentiment };
  return { ...title, seen, counted: counted.length, nextReturn, followed, followedReason };
}

function followOf(sentiment: 'bullish' | 'bearish', returns: readonly number[], base: BaseRate): Tested {
  const way = sentiment === 'bullish' ? 1 : -1;
  const hits = returns.filter((change) => change * way > 0).length;
  const { share, low, high } = proportionInterval(hits, returns.length);
  const percentOf = (value: number | null) => (value === null ? null : value * 100);
  const basePercent = way > 0 ? base.upPercent : base.downPercent;
  const pValue = binomialTest(hits, returns.length, basePercent / 100);
  const ends = { low: percentOf(low), high: percentOf(high) };
  const reason = pValue === null ? 'no occurrence counts' : null;
  return { percent: percentOf(share), ...ends, basePercent, pValue, reason };
}
