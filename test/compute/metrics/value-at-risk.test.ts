import assert from 'node:assert/strict';
import fc from 'fast-check';
import { candleReturns } from '../../../compute/metrics/returns.js';
import { valueAtRisk } from '../../../compute/metrics/value-at-risk.js';
import { describeWithSharedData, sharedCandles, sharedJson } from '../../support/shared-data.js';

describe('valueAtRisk', () => {
  it('interpolates between the two returns next to the quantile, and averages those at or below it', () => {
    // 21 returns from -10 % to +10 %: the 5 % quantile is the second lowest.
    const returns = Float64Array.from({ length: 21 }, (_, i) => (10 - i) / 100);
    const { valueAtRisk: loss, conditional } = valueAtRisk(returns, 0.95)!;
    assert.ok(Math.abs(loss - 0.09) < 1e-12 && Math.abs(conditional - 0.095) < 1e-12);
    // Of four returns it lies 15 % of the way from the lowest to the next.
    const few = valueAtRisk(Float64Array.of(0.02, -0.04, 0.01, -0.02), 0.95)!;
    assert.ok(Math.abs(few.valueAtRisk - 0.037) < 1e-12 && few.conditional === 0.04);
  });

  it('is a gain, below 0, where no return is a loss, and nothing without returns', () => {
    assert.deepEqual(valueAtRisk(Float64Array.of(0.25, 0.25), 0.99), {
      valueAtRisk: -0.25,
      conditional: -0.25,
    });
    assert.deepEqual(valueAtRisk(new Float64Array(5), 0.95), { valueAtRisk: 0, conditional: 0 });
    assert.equal(valueAtRisk(new Float64Array(0), 0.95), null);
  });

  it('never lies beyond the mean of what lies beyond it, nor falls as confidence rises', () => {
    const returns = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(returns, (values) => {
        const column = Float64Array.from(values);
        const [at95, at99] = [valueAtRisk(column, 0.95)!, valueAtRisk(column, 0.99)!];
        assert.ok(at95.conditional >= at95.valueAtRisk - 1e-12);
        assert.ok(
          at99.valueAtRisk >= at95.valueAtRisk - 1e-12 && at99.conditional >= at95.conditional - 1e-12,
        );
        assert.deepEqual([...column], values);
      }),
    );
  });
});

describeWithSharedData('valueAtRisk on real candles', () => {
  it('equals the reference', () => {
    const { series } = sharedJson('reference/risk.json') as {
      series: { series: string; metrics: Record<string, number> }[];
    };
    assert.ok(series.length > 3);
    for (const { series: path, metrics } of series) {
      const pair = /([A-Z]+_[A-Z]+)-1d/.exec(path)![1];
      const returns = candleReturns(sharedCandles(pair, '1d').close);
      for (const confidence of [95, 99] as const) {
        const { valueAtRisk: loss, conditional } = valueAtRisk(returns, confidence / 100)!;
        assert.ok(Math.abs(loss * 100 - metrics[`var${confidence}HistPct`]) < 1e-9, `${pair} ${confidence}`);
        assert.ok(
          Math.abs(conditional * 100 - metrics[`cvar${confidence}HistPct`]) < 1e-9,
          `${pair} ${confidence}`,
        );
      }
    }
  });
});
