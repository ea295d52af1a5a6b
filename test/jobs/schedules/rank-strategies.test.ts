import assert from 'node:assert/strict';
import { paramsOf } from '../../../compute/model/indicator.js';
import { decidedBacktest } from '../../support/jobs/decided-backtest.js';
import { strategyNamed, strategyNames } from '../../../compute/strategies/index.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { byMerit, rankStrategiesSchedule } from '../../../jobs/schedules/rank-strategies.js';
import type { LeaderboardRow } from '../../../storage/candles/leaderboards.js';
import { openTestMarket, type TestMarket } from '../../support/candles/market.js';
import { scheduleToolsOf } from '../../support/jobs/schedule-tools.js';

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const pairs = [
  { base: 'BTC', quote: 'USDT' },
  { base: 'ETH', quote: 'USDT' },
  { base: 'ETH', quote: 'BTC' },
  { base: 'NEW', quote: 'USDT' },
];

describe('the schedule that ranks strategies', function () {
  this.timeout(60_000);
  let market: TestMarket;
  before(async () => (market = await openTestMarket()));
  after(() => market.service.close());
  const run = () => rankStrategiesSchedule.run(scheduleToolsOf(market.service), new AbortController().signal);

  for (const interval of ['1d', '4h'] as const) {
    it(`stores what a backtest of each strategy on each pair comes to (${interval})`, async () => {
      const { candles, leaderboards } = market.service.storage;
      await run();
      const { rows, refused, ...about } = (await leaderboards.find({
        market: 'csv',
        interval,
        period: '1y',
      }))!;
      const expected: Omit<LeaderboardRow, 'outOfSampleReturn'>[] = [];
      let tooShort = 0;
      for (const { base, quote } of pairs) {
        const loaded = await candles.load({ market: 'csv', base, quote, interval });
        // Five hours have no candle of a day.
        if (!loaded) continue;
        for (const strategy of strategyNames) {
          const params = paramsOf(strategyNamed(strategy).params, {});
          const input = { candles: loaded.candles, interval, period: '1y', strategy, params, costs } as const;
          try {
            const { totalReturn, sharpe, maxDrawdown, tradeCount, window, benchmark } = decidedBacktest(
              { ...input },
              new ScratchBuffers(),
            );
            expected.push({
              ...{ asset: base, tradeMarket: quote, strategy },
              ...{ totalReturn, sharpe, maxDrawdown, tradeCount },
              ...window,
              excessReturn: totalReturn! - benchmark.totalReturn!,
              // Random prices: nothing is beyond chance.
              significant: false,
            });
          } catch (error) {
            assert.equal((error as { code: string }).code, 'not_enough_history');
            tooShort++;
          }
        }
      }
      type Known = (typeof expected)[number];
      const name = (row: Known) => `${row.asset}/${row.tradeMarket} ${row.strategy}`;
      const byName = (one: Known, other: Known) => (name(one) < name(other) ? -1 : 1);
      assert.ok(expected.length >= 20);
      assert.ok(rows.some(({ outOfSampleReturn }) => typeof outOfSampleReturn === 'number'));
      const known = rows.map(({ outOfSampleReturn, ...row }) => {
        assert.notEqual(outOfSampleReturn, undefined);
        return row;
      });
      assert.deepEqual(known.toSorted(byName), expected.sort(byName));
      const count = rows.filter(({ sharpe }) => sharpe !== null).length;
      // Of 20 to 30 ratios of at most a year, whose deviation is 1 or more, about two.
      assert.ok(
        count > 15 && about.luckiestSharpe > 1.7 && about.luckiestSharpe < 6,
        `${about.luckiestSharpe}`,
      );
      assert.equal(refused, tooShort);
      assert.ok(tooShort > 0 || interval === '1d');
      const last = (await market.service.storage.series.find({ market: 'csv', ...pairs[0], interval }))!.last;
      const step = interval === '1d' ? 86_400_000 : 14_400_000;
      assert.equal(about.asOf, new Date(last + step).toISOString());
      const sharpes = rows.map(({ sharpe }) => sharpe ?? -Infinity);
      assert.deepEqual(
        sharpes,
        [...sharpes].sort((one, other) => other - one),
      );
    });
  }

  it('comes to the same when it is run again, and keeps one document of each', async () => {
    const key = { market: 'csv', interval: '1d', period: '1y' } as const;
    const { expiring, leaderboards } = market.service.storage;
    const { computedAt: before, ...first } = (await leaderboards.find(key))!;
    assert.match(await run(), /^1h 3M: \d+ ranked, \d+ refused; 1h 6M: .*; 1d 1y: \d+ ranked, \d+ refused$/);
    const { computedAt, ...second } = (await leaderboards.find(key))!;
    assert.deepEqual(second, first);
    assert.ok(computedAt > before);
    assert.equal(await expiring.drop('leaderboards', before), 0);
    assert.equal(await expiring.drop('leaderboards', new Date(Date.now() + 1_000)), 9);
    assert.equal(await leaderboards.find(key), null);
  });
});

describe('byMerit', () => {
  const row = (asset: string, sharpe: number | null, totalReturn: number | null) =>
    ({ asset, tradeMarket: 'USDT', strategy: 's', sharpe, totalReturn }) as LeaderboardRow;

  it('puts the highest Sharpe ratio first, then the highest return, then the alphabet, and none last', () => {
    const rows = [
      row('D', null, 9),
      row('B', 1, 2),
      row('A', 1, 2),
      row('C', 1, 3),
      row('E', 2, null),
      row('F', null, null),
    ];
    assert.equal(
      rows
        .sort(byMerit)
        .map(({ asset }) => asset)
        .join(''),
      'ECABDF',
    );
  });
});
