import assert from 'node:assert/strict';
import { DemoMarket } from '../../../compute/demo/demo-market.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';

describe('demoPairRules', () => {
  const { pairs } = new DemoMarket();

  it('has rules for every pair of the demo market, and its prices are on the tick', () => {
    const market = new DemoMarket();
    while (market.nextMs < Date.UTC(2023, 6, 1)) market.advance();
    const candles = market.advance();
    for (const [n, pair] of pairs.entries()) {
      const { tickSize } = demoPairRules(pair)!;
      const close = Decimal.read(String(candles[n].close));
      assert.equal(close.toStep(tickSize, 'floor').compare(close), 0, `${pair.base}/${pair.quote}`);
    }
  });

  it('states tick, step, smallest quantity and worth', () => {
    const told = (base: string, quote: string) => {
      const rules = demoPairRules({ base, quote })!;
      return [rules.tickSize, rules.stepSize, rules.minQuantity, rules.minNotional].map(String);
    };
    assert.deepEqual(told('BTC', 'USDT'), ['0.01', '0.00001', '0.00001', '5']);
    assert.deepEqual(told('ETH', 'BTC'), ['0.00001', '0.0001', '0.0001', '0.0001']);
    assert.deepEqual(told('PEPE', 'USDT'), ['0.0000000001', '1', '1', '5']);
  });

  it('has none for other pairs', () => {
    assert.equal(demoPairRules({ base: 'BTC', quote: 'EUR' }), null);
    assert.equal(demoPairRules({ base: 'PEPE', quote: 'BTC' }), null);
  });
});
