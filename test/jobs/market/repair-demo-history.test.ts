import assert from 'node:assert/strict';
import { firstCandleFrom, sliceCandles } from '../../../compute/model/candles.js';
import { makeDemoHistory } from '../../../compute/demo/make-demo-history.js';
import { DemoMarket, demoStartMs } from '../../../compute/demo/demo-market.js';
import { repairDemoHistory } from '../../../jobs/market/follow-demo.js';
import { dropCandles } from '../../support/candles/drop-candles.js';
import { hourMs } from '../../storage/candles/candle-parts.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const hours = 60;
const nowMs = demoStartMs + hours * hourMs + 1;

describe('repairDemoHistory', () => {
  const context = temporaryStorage();

  it('makes up hours that are missing at the end, in the middle, and altogether', async () => {
    const market = new DemoMarket();
    const { pairs } = market;
    const history = makeDemoHistory(market, nowMs);
    const [whole, holed, cut] = [0, 1, 2];
    const store = async (index: number, isDropped: (hour: number) => boolean) => {
      const { base, quote, firstMs } = pairs[index];
      const { [index]: all } = history;
      const listed = sliceCandles(all, firstCandleFrom(all.time, firstMs), all.time.length);
      await context.storage.candles.add({ market: 'demo', base, quote }, dropCandles(listed, isDropped));
    };
    await store(whole, () => false);
    await store(holed, (hour) => hour >= 10 && hour < 13);
    await store(cut, (hour) => hour >= 50);
    const listed = pairs.filter(({ firstMs }) => firstMs < nowMs - hourMs);
    const repaired = await repairDemoHistory(context.storage, nowMs);
    assert.deepEqual(repaired, { pairs: pairs.length, made: 3 + 10 + (listed.length - 3) * hours });
    for (const { base, quote } of listed) {
      const key = { market: 'demo', base, quote, interval: '1h' } as const;
      const index = pairs.findIndex((pair) => pair.base === base && pair.quote === quote);
      assert.deepEqual((await context.storage.candles.load(key))!.candles, history[index]);
      assert.equal((await context.storage.series.find(key))!.missing, 0);
    }
    assert.deepEqual(await repairDemoHistory(context.storage, nowMs), { pairs: pairs.length, made: 0 });
  });
});
