import assert from 'node:assert/strict';
import type { Candles } from '../../../compute/model/candles.js';
import { backtestJob } from '../../../jobs/definitions/backtest.js';
import { openStorage, type Storage } from '../../../storage/index.js';
import { pickCandles } from '../../storage/candles/candle-parts.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { Scrape } from '../../support/servers/scrape.js';
import { until } from '../../support/process/until.js';

const pair = { market: 'csv', base: 'BTC', quote: 'USDT' } as const;
const key = { ...pair, interval: '1h' } as const;
const positions = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const all = randomCandles(24 * 120);
const some = (from: number, to: number): Candles => pickCandles(all, positions(from, to));
/** A backtest over all that is stored. */
async function ask({ storage, deps }: TestService) {
  const { digest } = (await storage.series.find(key))!;
  const costs = { feeRate: 0.001, slippageRate: 0.0005 };
  const payload = { key, digest, period: '3M', strategy: 'trend_state', params: {}, costs } as const;
  return (await deps.queues.run(backtestJob, payload, { traceId: 'test' })).result;
}

describe('a compute node that has a series', () => {
  let service: TestService;
  /** Writes without telling anybody. */
  let silent: Storage;
  let count = 24 * 100;

  before(async () => {
    service = await openTestService({ measured: true });
    silent = openStorage(service.mongodbUrl, { timeoutMs: 5_000 });
    await service.storage.candles.add(pair, some(0, count));
    await ask(service);
    // The gateway's directory and the node.
    const listeners = async () => (await service.deps.redis.pubsub('NUMSUB', 'tidemark:series'))[1];
    await until('both to listen', async () => Number(await listeners()) === 2);
  });
  after(async () => {
    await silent.close();
    await service.close();
  });

  /** What the node has read, and how often it was asked. */
  async function counts() {
    const found = new Scrape(await service.metrics.nodes[0].registry.metrics());
    const brought = (what: string) => found.sum('tidemark_candle_cache_loads_total', { brought: what });
    const asked = (result: string) => found.sum('tidemark_candle_cache_reads_total', { result });
    return {
      ...{ whole: brought('whole'), append: brought('append') },
      ...{ hit: asked('hit'), miss: asked('miss') },
    };
  }

  const closedAt = () => new Date(all.time[count]).toISOString();

  async function addHour(storage: Storage) {
    await storage.candles.add(pair, some(count, count + 1));
    count++;
  }

  it('has the next candle before anybody asks', async () => {
    const before = await counts();
    await addHour(service.storage);
    await until('an append', async () => (await counts()).append === before.append + 1);
    assert.deepEqual(await counts(), { ...before, append: before.append + 1 });
    assert.equal((await ask(service)).window.to, closedAt());
    assert.deepEqual(await counts(), { ...before, append: before.append + 1, hit: before.hit + 1 });
  });

  it('reads it when it is asked, where it was not told', async () => {
    const before = await counts();
    await addHour(silent);
    assert.equal((await ask(service)).window.to, closedAt());
    assert.deepEqual(await counts(), { ...before, append: before.append + 1, miss: before.miss + 1 });
  });

  it('gives the same result with the same id as a node that has read it whole', async () => {
    const followed = await ask(service);
    const fresh = await openTestService();
    try {
      await fresh.storage.candles.add(pair, some(0, count));
      assert.deepEqual(await ask(fresh), followed);
    } finally {
      await fresh.close();
    }
  });

  it('reads nothing of series that nobody asked it for', async () => {
    const before = await counts();
    await service.storage.candles.add({ ...pair, base: 'ETH' }, some(0, 50));
    await addHour(service.storage);
    await until('an append', async () => (await counts()).append === before.append + 1);
    assert.equal((await counts()).whole, before.whole);
  });
});
