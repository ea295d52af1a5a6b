import { demoCandles, demoSeries } from '../support/candles/demo-candles.js';
import { readingsApart } from '../support/candles/readings-apart.js';
import { hasSharedData, sharedCandles, sharedSeries } from '../support/candles/shared-data.js';

/** Prints how often two readings of the same candles point opposite ways, and how often their headlines name each other. */
export function countPictures(): void {
  const markets = [
    {
      market: 'demo',
      all: demoSeries.map((each) => ({ ...each, candles: demoCandles(each.pair, each.interval) })),
    },
    ...(hasSharedData
      ? [
          {
            market: 'real',
            all: sharedSeries.map((each) => ({ ...each, candles: sharedCandles(each.pair, each.interval) })),
          },
        ]
      : []),
  ];
  for (const { market, all } of markets) {
    const counts = all.map(({ pair, interval, candles }) => readingsApart(pair, interval, candles));
    const compared = counts.reduce((sum, each) => sum + each.compared, 0);
    const apart = counts.flatMap((each) => each.apart);
    console.log(`${market} market: ${apart.length} of ${compared} pairs of readings point opposite ways`);
    const names = [...new Set(apart.map(({ between }) => between))].sort();
    console.table(
      names.map((between) => {
        const same = apart.filter((each) => each.between === between);
        return { between, opposite: same.length, named: same.filter(({ isNamed }) => isNamed).length };
      }),
    );
  }
}
