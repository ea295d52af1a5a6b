import assert from 'node:assert/strict';
import fc from 'fast-check';
import { candleReturns } from '../../../compute/metrics/returns.js';
import { historicalValueAtRisk } from '../../../compute/metrics/value-at-risk.js';
import { describeWithSharedData, sharedCandles, sharedJson } from '../../support/candles/shared-data.js';

const of = (returns: ArrayLike<number>, share: number) =>
  historicalValueAtRisk(Float64Array.from(returns).sort(), share);

describe('historicalValueAtRisk of any returns', () => {
  it('interpolates between the two returns next to the quantile', () => {
    // Of four returns it lies 15 % of the way from the lowest to the next.
    const { valueAtRisk, conditional, tail } = of([0.02, -0.04, 0.01, -0.02], 0.05);
    assert.ok(Math.abs(valueAtRisk - 0.037) < 1e-12);
    assert.deepEqual([conditional, tail], [0.04, 1]);
  });

  it('never lies beyond the mean of what lies beyond it, nor falls as confidence rises', () => {
    const returns = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(returns, (values) => {
        const [at95, at99] = [of(values, 0.05), of(values, 0.01)];
        assert.ok(at95.conditional >= at95.valueAtRisk - 1e-12 && at95.tail >= at99.tail);
        assert.ok(
          at99.valueAtRisk >= at95.valueAtRisk - 1e-12 && at99.conditional >= at95.conditional - 1e-12,
        );
      }),
    );
  });
});

describeWithSharedData('historicalValueAtRisk on real candles', () => {
  it('equals the reference', () => {
    const { series } = sharedJson('reference/risk.json') as {
      series: { series: string; metrics: Record<string, number> }[];
    };
    assert.ok(series.length > 3);
    for (const { series: path, metrics } of series) {
      const pair = /([A-Z]+_[A-Z]+)-1d/.exec(path)![1];
      const returns = candleReturns(sharedCandles(pair, '1d').close);
      for (const confidence of [95, 99] as const) {
        const { valueAtRisk: loss, conditional } = of(returns, 1 - confidence / 100);
        assert.ok(Math.abs(loss * 100 - metrics[`var${confidence}HistPct`]) < 1e-9, `${pair} ${confidence}`);
        assert.ok(
          Math.abs(conditional * 100 - metrics[`cvar${confidence}HistPct`]) < 1e-9,
          `${pair} ${confidence}`,
        );
      }
    }
  });
});
