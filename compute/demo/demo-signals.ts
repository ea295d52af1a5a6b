import type { Candles } from '../model/candles.js';
import { Decimal } from '../model/decimal.js';
import { priceOnTick, type PairRules } from '../model/pair-rules.js';

/** The 1h candles of an asset of the demo market, and its rules. */
export interface DemoSeries {
  asset: string;
  candles: Candles;
  rules: PairRules;
}

/** A purchase that the demo channel proposes. Prices are decimals. */
export interface DemoSignal {
  asset: string;
  atMs: number;
  entry: { min: string; max: string };
  targets: string[];
  stopLoss: string;
}

/** One week of 1h candles. */
const meanHours = 168;

/**
 * What the demo channel would have said at a time: buy the asset that is furthest above its mean of seven days among those that are
 * not in `taken`, at its last close, with targets 3 and 6 % above and a stop 4 % below. Null before there is a week of candles.
 */
export function demoSignalAt(
  series: readonly DemoSeries[],
  atMs: number,
  taken: ReadonlySet<string>,
): DemoSignal | null {
  const ranked = series
    .filter(({ asset }) => !taken.has(asset))
    .flatMap(({ asset, candles, rules }) => {
      const count = closedBy(candles, atMs);
      if (count < meanHours) return [];
      const closes = candles.close.subarray(count - meanHours, count);
      const mean = closes.reduce((sum, each) => sum + each, 0) / meanHours;
      return [{ asset, rules, close: closes[meanHours - 1], strength: closes[meanHours - 1] / mean }];
    })
    .sort((one, other) => other.strength - one.strength);
  if (ranked.length === 0) return null;
  const [{ asset, rules, close }] = ranked;
  const price = (factor: number) => String(priceOnTick(Decimal.read(String(close * factor)), 'buy', rules));
  return {
    asset,
    atMs,
    entry: { min: price(0.98), max: price(1.01) },
    targets: [price(1.03), price(1.06)],
    stopLoss: price(0.96),
  };
}

/** How many candles had closed by a time. */
function closedBy({ time }: Candles, atMs: number): number {
  let count = time.length;
  while (count > 0 && time[count - 1] + 3_600_000 > atMs) count--;
  return count;
}
