import assert from 'node:assert/strict';
import type { Storage } from '../../../storage/index.js';
import { makeDemoHistory } from '../../../compute/demo/make-demo-history.js';
import { storeDemoHistory } from '../../../jobs/market/follow-demo.js';
import { DemoMarket, demoStartMs } from '../../../compute/demo/demo-market.js';
import { hourMs } from '../../storage/candles/candle-parts.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const atHour = (hours: number) => demoStartMs + hours * hourMs;

describe('storeDemoHistory', () => {
  const atOnce = temporaryStorage();
  const inParts = temporaryStorage();
  const cutOff = temporaryStorage();
  const contents = async ({ series }: Storage) =>
    (await series.all()).map(({ updatedAt, ...content }) => {
      assert.ok(updatedAt instanceof Date);
      return content;
    });

  it('stores every listed pair from its first day to the last closed hour', async () => {
    const market = new DemoMarket();
    const done: string[] = [];
    await storeDemoHistory(market, atOnce.storage, atHour(50) + 1, (pairs, of) =>
      done.push(`${pairs}/${of}`),
    );
    const listed = market.pairs.filter(({ firstMs }) => firstMs <= atHour(0));
    const hourly = (await atOnce.storage.series.list('demo')).filter(({ interval }) => interval === '1h');
    assert.deepEqual(
      hourly.map(({ base, quote, first, last, count }) => [`${base}/${quote}`, first, last, count]),
      listed.map(({ base, quote }) => [`${base}/${quote}`, atHour(0), atHour(49), 50]).sort(),
    );
    assert.equal(done.at(-1), `${market.pairs.length}/${market.pairs.length}`);
    const bitcoin = { market: 'demo', base: 'BTC', quote: 'USDT', interval: '1h' } as const;
    const [expected] = makeDemoHistory(new DemoMarket(), atHour(50));
    assert.deepEqual((await atOnce.storage.candles.load(bitcoin))?.candles, expected);
  });

  it('notes which pairs are on their way, also when it is cut off', async () => {
    const { storage } = cutOff;
    const { pairs } = new DemoMarket();
    const store = (end: number) =>
      storeDemoHistory(new DemoMarket(), storage, atHour(50) + 1, (done) => {
        if (done === end) throw new Error('cut off');
      });
    const pending = async () => {
      const fill = await storage.feeds.fill('demo');
      assert.equal(fill.pairs, pairs.length);
      return fill.pending.map(({ base, quote }) => `${base}/${quote}`);
    };
    const names = pairs.map(({ base, quote }) => `${base}/${quote}`);
    await assert.rejects(store(3), /cut off/);
    assert.deepEqual(await pending(), names.slice(3).sort());
    await assert.rejects(store(1), /cut off/);
    assert.deepEqual(await pending(), names.slice(3).sort());
    await store(Infinity);
    assert.deepEqual(await pending(), []);
  });

  it('changes nothing the second time', async () => {
    const before = await contents(atOnce.storage);
    await storeDemoHistory(new DemoMarket(), atOnce.storage, atHour(50) + 1);
    assert.deepEqual(await contents(atOnce.storage), before);
  });

  it('goes on where it stopped: in the same market as time passes, and with a new one after a restart', async () => {
    const running = new DemoMarket();
    await storeDemoHistory(running, inParts.storage, atHour(20));
    await storeDemoHistory(running, inParts.storage, atHour(21));
    await storeDemoHistory(new DemoMarket(), inParts.storage, atHour(50));
    assert.deepEqual(await contents(inParts.storage), await contents(atOnce.storage));
  });

  it('completes the pairs that a start which was cut off did not come to', async () => {
    await inParts.db.collection('candles').deleteMany({ _id: /^demo:SOL/ as never });
    await inParts.db.collection('series').deleteMany({ _id: /^demo:SOL/ as never });
    await storeDemoHistory(new DemoMarket(), inParts.storage, atHour(50));
    assert.deepEqual(await contents(inParts.storage), await contents(atOnce.storage));
  });
});
