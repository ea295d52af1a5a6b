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

  it('depends only on the time, not on earlier calls', () => {
    const asked = new DemoTicks();
    for (let hour = -30; hour <= 0; hour += 0.7) asked.at(endMs + hour * hourMs);
    assert.deepEqual(asked.at(endMs + 777_777), new DemoTicks().at(endMs + 777_777));
  });

  it('gives the change since the price of 24 hours before', () => {
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

  it('tells the extremes after the tick before', () => {
    const stepMs = 300_000;
    const grid = stepMs / 128;
    for (const [sinceMs, nowMs, every] of [
      [endMs + 1_000, endMs + 3_500, grid],
      [endMs + 1.5 * stepMs, endMs + 4.25 * stepMs, grid],
      [endMs - 1.5 * hourMs, endMs + 1_000, stepMs],
    ]) {
      const asked = new DemoTicks();
      const times = Array.from({ length: Math.ceil((nowMs - sinceMs) / every) + 1 }, (_, n) => {
        return (Math.floor(sinceMs / every) + 1 + n) * every;
      }).filter((ms) => ms < nowMs);
      const ticks = [...times, nowMs].map((ms) => asked.at(ms));
      asked.since(sinceMs, nowMs).forEach(({ pair, price, high, low, since, at }, n) => {
        const seen = ticks.map((tick) => tick[n].price);
        const { base, quote } = ticks[0][n];
        assert.deepEqual([pair, since, at], [{ base, quote }, sinceMs, nowMs]);
        const figures = [price, high, low].map(String).map(Number);
        assert.deepEqual(figures, [seen.at(-1), Math.max(...seen), Math.min(...seen)]);
      });
    }
  });

  it('moves as much within the steps of an hour as from step to step, by the square root of time', () => {
    const asked = new DemoTicks();
    const moves = (everyMs: number) => {
      const prices = Array.from(
        { length: (20 * hourMs) / everyMs },
        (_, n) => asked.at(endMs + n * everyMs)[0].price,
      );
      const sizes = prices.slice(1).map((price, n) => Math.abs(price / prices[n] - 1));
      return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    };
    // 5 min against 300 s / 16: a walk moves a quarter as much in a sixteenth of the time, a line a sixteenth.
    const share = moves(300_000 / 16) / moves(300_000);
    assert.ok(share > 0.2 && share < 0.27, `${share}`);
  });

  it('leaves the price of the tick before out of the range', () => {
    const asked = new DemoTicks();
    for (const { price, high, low } of asked.since(endMs + 10_000, endMs + 11_000))
      assert.deepEqual([String(high), String(low)], [String(price), String(price)]);
  });

  it('gives a volume in proportion to the time, which does not depend on earlier calls', () => {
    const volumes = (sinceMs: number, nowMs: number) =>
      new DemoTicks().since(sinceMs, nowMs).map(({ volume }) => Number(String(volume)));
    const nowMs = endMs + 8_000;
    const [short, long] = [volumes(nowMs - 2_000, nowMs), volumes(nowMs - 8_000, nowMs)];
    assert.deepEqual(short, volumes(nowMs - 2_000, nowMs));
    short.forEach((volume, n) => assert.ok(volume > 0 && Math.abs(long[n] / volume - 4) < 1e-3));
    assert.deepEqual(
      volumes(nowMs, nowMs).filter((volume) => volume !== 0),
      [],
    );
  });

  it('reaches back a day at most', () => {
    const [first] = new DemoTicks().since(0, endMs);
    assert.equal(first.since, endMs - dayMs);
  });
});
