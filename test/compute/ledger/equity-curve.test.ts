import assert from 'node:assert/strict';
import fc from 'fast-check';
import { equityCurve, type AccountEquity } from '../../../compute/ledger/equity-curve.js';

const point = (day: number, value: number | string, more: Partial<AccountEquity> = {}): AccountEquity => ({
  exchange: 'PAPER',
  day: `2026-01-${String(day).padStart(2, '0')}`,
  value: String(value),
  flow: '0',
  unpriced: [],
  benchmark: null,
  ...more,
});

const near = (found: number | null, expected: number) =>
  assert.ok(found !== null && Math.abs(found - expected) < 1e-9, `${found} is not ${expected}`);

describe('equityCurve', () => {
  it('links daily returns of Modified Dietz', () => {
    const { days, returnPercent, maxDrawdownPercent } = equityCurve([
      point(1, 1000),
      point(2, 1100),
      point(3, 1600, { flow: '500' }),
      point(4, 1280),
    ]);
    near(days[1].index, 110);
    // Nothing but a deposit.
    near(days[2].index, 110);
    near(days[3].index, 88);
    near(returnPercent, -12);
    near(maxDrawdownPercent, -20);
    near(days[3].drawdownPercent, -20);
    assert.deepEqual(
      days.map(({ day, value, flow }) => [day, value, flow]),
      [
        ['2026-01-01', '1000', '0'],
        ['2026-01-02', '1100', '0'],
        ['2026-01-03', '1600', '500'],
        ['2026-01-04', '1280', '0'],
      ],
    );
  });

  it('counts half of a flow as money that worked: (1650 - 1000 - 500) / 1250 is 12 %', () => {
    near(equityCurve([point(1, 1000), point(2, 1650, { flow: '500' })]).returnPercent, 12);
  });

  it('passes over a day on which a part was not read, and counts what was paid in meanwhile once', () => {
    const wallets = [{ account: 'FUTURES' }];
    const { days } = equityCurve([
      point(1, 1000, { wallets }),
      // Taken by a version that leaves wallets out.
      point(2, 400, { flow: '10' }),
      point(3, 700, { wallets, stale: ['FUTURES'], flow: '100', unread: ['MARGIN'] }),
      point(4, 1210, { wallets, unread: ['MARGIN'] }),
    ]);
    assert.deepEqual(
      days.map(({ incomplete }) => incomplete),
      [[], [], ['PAPER FUTURES', 'PAPER MARGIN'], ['PAPER MARGIN']],
    );
    assert.deepEqual([days[1].index, days[2].index], [100, 100]);
    near(days[3].index, 100 * (1 + (1210 - 1000 - 110) / (1000 + 55)));
  });

  it('is not changed by accounts that begin or end, nor by prices that come or go', () => {
    const other = { exchange: 'BINANCE' };
    const { days } = equityCurve([
      point(1, 1000),
      point(2, 1100),
      point(2, 5000, other),
      point(3, 1100),
      point(3, 5500, other),
      point(4, 1100),
      point(5, 900, { unpriced: ['LUNA'] }),
      point(6, 990, { unpriced: ['LUNA'] }),
    ]);
    const factor = 1.1 * (6600 / 6100);
    [100, 110, factor * 100, factor * 100, factor * 100, factor * 110].forEach((expected, n) =>
      near(days[n].index, expected),
    );
    assert.equal(days[1].value, '6100');
  });

  it('compares with the benchmark, and has no figures for too few days', () => {
    const one = equityCurve([point(1, 1000)]);
    assert.deepEqual(
      [
        one.returnPercent,
        one.maxDrawdownPercent,
        one.volatilityPercent,
        one.sharpe,
        one.benchmarkReturnPercent,
      ],
      [null, 0, null, null, null],
    );
    assert.deepEqual(equityCurve([]).days, []);
    const curve = equityCurve([
      point(1, 1000, { benchmark: '50000' }),
      point(2, 1010),
      point(3, 1030.2, { benchmark: '55000' }),
    ]);
    near(curve.benchmarkReturnPercent, 10);
    assert.equal(curve.days[1].benchmarkIndex, null);
    // Returns of 1 % and 2 %: mean 1.5 %, deviation 0.5 % times the root of 2.
    near(curve.volatilityPercent, 0.5 * Math.SQRT2 * Math.sqrt(365));
    near(curve.sharpe, (1.5 / (0.5 * Math.SQRT2)) * Math.sqrt(365));
  });

  it('never returns less than a total loss, and nothing for an account without money', () => {
    near(equityCurve([point(1, 100), point(2, 0)]).returnPercent, -100);
    assert.equal(equityCurve([point(1, 0), point(2, 500, { flow: '1000' })]).returnPercent, -100);
    assert.equal(equityCurve([point(1, 0), point(2, 0)]).returnPercent, null);
  });

  it('is the same whatever is paid in or out while prices stand still', () => {
    const flows = fc.array(fc.integer({ min: -90, max: 1000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(flows, (percents) => {
        let value = 1000;
        const points = percents.map((percent, n) => {
          const flow = (value * percent) / 100;
          value += flow;
          return point(n + 2, value, { flow: String(flow) });
        });
        for (const { index } of equityCurve([point(1, 1000), ...points]).days) near(index, 100);
      }),
      { numRuns: 300 },
    );
  });
});
