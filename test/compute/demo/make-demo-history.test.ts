import assert from 'node:assert/strict';
import { DemoMarket, demoStartMs } from '../../../compute/demo/demo-market.js';
import { makeDemoHistory } from '../../../compute/demo/make-demo-history.js';
import { candleColumns, type Candles } from '../../../compute/model/candles.js';
import { hourMs } from '../../storage/candles/candle-parts.js';

const atHour = (hours: number) => demoStartMs + hours * hourMs;

function joined(parts: Candles[]): Record<string, number[]> {
  return Object.fromEntries(
    candleColumns.map((column) => [column, parts.flatMap((part) => Array.from(part[column]))]),
  );
}

describe('makeDemoHistory', () => {
  it('makes the same candles in one go and hour by hour', () => {
    const atOnce = makeDemoHistory(new DemoMarket(), atHour(1_000));
    const market = new DemoMarket();
    const hourly = Array.from({ length: 1_000 }, (_, i) => makeDemoHistory(market, atHour(i + 1)));
    market.pairs.forEach((_, p) =>
      assert.deepEqual(joined(hourly.map((parts) => parts[p])), joined([atOnce[p]])),
    );
  });

  it('ends with the last hour that is over, and goes on from there', () => {
    const market = new DemoMarket();
    const [first] = makeDemoHistory(market, atHour(3) + hourMs - 1);
    assert.deepEqual(Array.from(first.time), [0, 1, 2].map(atHour));
    assert.equal(market.nextMs, atHour(3));
    assert.deepEqual(Array.from(makeDemoHistory(market, atHour(4))[0].time), [atHour(3)]);
    assert.equal(makeDemoHistory(market, atHour(4))[0].time.length, 0);
    assert.equal(makeDemoHistory(market, atHour(1))[0].time.length, 0);
  });
});
