import assert from 'node:assert/strict';
import { makeDemoHistory } from '../../../compute/demo/make-demo-history.js';
import { DemoMarket, demoStartMs } from '../../../compute/demo/demo-market.js';
import { DemoTicks } from '../../../compute/demo/demo-ticks.js';
import { hourMs } from '../../storage/candles/candle-parts.js';

const dayMs = 24 * hourMs;
const hours = 600;
const endMs = demoStartMs + hours * hourMs;
const history = makeDemoHistory(new DemoMarket(), endMs + 3 * hourMs);

describe('DemoTicks', () => {
  it('has a price for every pair, at the time asked for', () => {
    const ticks = new DemoTicks().at(endMs + 1_234);
    assert.deepEqual(
      ticks.map(({ base, quote }) => ({ base, quote })),
      new DemoMarket().pairs.map(({ base, quote }) => ({ base, quote })),
    );
    assert.ok(ticks.every(({ time, price }) => time === endMs + 1_234 && price > 0));
  });

  it('starts each hour at the open of its candle, stays within it, and ends near its close', () => {
    const ticks = new DemoTicks();
    const seen = history.map(() => new Set<number>());
    for (let ms = 0; ms < 3 * hourMs; ms += 20_000) {
      const hour = hours + Math.floor(ms / hourMs);
      ticks.at(endMs + ms).forEach(({ price }, pair) => {
        const { open, high, low } = history[pair];
        assert.ok(price >= low[hour] && price <= high[hour], `${price} at ${ms}`);
        if (ms % hourMs === 0) assert.equal(price, open[hour]);
        seen[pair].add(price);
      });
    }
    assert.ok(seen[0].size > 300, `${seen[0].size} prices of Bitcoin`);
    const last = new DemoTicks().at(endMs + 3 * hourMs - 1);
    last.forEach(({ price }, pair) => {
      const close = history[pair].close[hours + 2];
      assert.ok(Math.abs(price / close - 1) < 1e-4, `${price} near ${close}`);
    });
  });

  it('depends on the time alone, not on when it was asked before', () => {
    const asked = new DemoTicks();
    for (let hour = -30; hour <= 0; hour += 0.7) asked.at(endMs + hour * hourMs);
    assert.deepEqual(asked.at(endMs + 777_777), new DemoTicks().at(endMs + 777_777));
  });

  it('tells the change since the price of 24 hours before', () => {
    const now = new DemoTicks().at(endMs + 1_000_000);
    const before = new DemoTicks().at(endMs + 1_000_000 - dayMs);
    now.forEach(({ price, change24hPercent }, pair) => {
      const expected = (price / before[pair].price - 1) * 100;
      assert.ok(Math.abs(change24hPercent! - expected) < 1e-9);
    });
  });

  it('knows no change on the first day', () => {
    const ticks = new DemoTicks().at(demoStartMs + 5 * hourMs);
    assert.ok(ticks.every(({ change24hPercent }) => change24hPercent === null));
  });
});
