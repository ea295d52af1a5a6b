import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { trendStateAnalysis } from '../../../compute/core-line/trend-states.js';
import type { Interval } from '../../../compute/model/interval.js';
import { momentumAnalysis, trendAnalysis } from '../../../compute/market/momentum-analysis.js';
import { wayOf } from '../../../compute/market/picture.js';
import { technicalSummary } from '../../../compute/market/technical-summary.js';

/** Two headlines about the same candles that point opposite ways, and whether each of them names the other. */
export interface Opposition {
  pair: string;
  interval: Interval;
  between: string;
  isNamed: boolean;
}

/** The two headlines of every pair of readings of a series, at several ends, that point opposite ways. */
export function readingsApart(
  pair: string,
  interval: Interval,
  all: Candles,
): { compared: number; apart: Opposition[] } {
  const apart: Opposition[] = [];
  let compared = 0;
  for (const share of [0.4, 0.6, 0.8, 1]) {
    const candles = sliceCandles(all, 0, Math.floor(all.time.length * share));
    const question = { candles, interval, params: {} };
    const about = { asset: pair.split('_')[0], interval } as never;
    const headline = (analysis: typeof trendAnalysis | typeof momentumAnalysis | typeof technicalSummary) =>
      (analysis.tool!.headline as (answer: object) => string)({
        ...analysis.run(question),
        ...(about as object),
      });
    const states = trendStateAnalysis.run({ series: [{ interval, candles }] });
    const structure = trendStateAnalysis.tool!.headline({ ...states, asset: pair });
    const { picture } = technicalSummary.run(question);
    const readings = [
      { name: 'structure', way: wayOf(picture.structure), text: structure },
      { name: 'trend', way: wayOf(picture.trend), text: headline(trendAnalysis) },
      { name: 'momentum', way: wayOf(picture.momentum), text: headline(momentumAnalysis) },
      { name: 'summary', way: wayOf(picture.summary), text: headline(technicalSummary) },
    ];
    for (const [n, one] of readings.entries())
      for (const other of readings.slice(n + 1)) {
        compared++;
        if (one.way * other.way >= 0) continue;
        const names = (text: string, name: string) => text.includes(`${name}: `);
        const isNamed = names(one.text, other.name) && names(other.text, one.name);
        apart.push({ pair, interval, between: `${one.name} against ${other.name}`, isNamed });
      }
  }
  return { compared, apart };
}
