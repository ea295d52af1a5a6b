import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { PriceWatch } from '../../../../jobs/signals/price-watch/price-watch.js';
import type { AnnouncedLevels } from '../../../../storage/signals/level-announcements.js';
import type { WatchedExecution } from '../../../../storage/signals/watched-execution.js';

const startMs = Date.now();
const tick = (price: string, at: number): MarketTick => ({
  pair: { base: 'BTC', quote: 'USDT' },
  price: Decimal.parse(price),
  high: Decimal.parse(price),
  low: Decimal.parse(price),
  volume: null,
  since: at,
  at,
});
const levels = (id: string, more: Partial<WatchedExecution> = {}): AnnouncedLevels => ({
  id,
  revision: 0,
  levels: {
    ...{ id, market: 'demo', pair: 'BTC/USDT', partnerId: 'partner', slot: 0, revision: 0 },
    ...{ low: Decimal.parse('90'), high: Decimal.parse('110'), everyTick: false },
    ...{ seenMs: null, createdMs: startMs, ...more },
  },
});

describe('price watch', () => {
  let crossed: string[];
  let watch: PriceWatch;

  beforeEach(async () => {
    crossed = [];
    watch = new PriceWatch({
      market: 'demo',
      executions: {
        cross: async (ids) => void crossed.push(...ids),
        wake: async () => [],
        wakeWithOrders: async () => undefined,
        watched: async () => [],
      },
      due: { add: async () => undefined },
      queue: { wake: async () => undefined },
      match: async () => [],
      progress: { write: async () => undefined },
      log: { warn: (...words: unknown[]) => assert.fail(String(words)) },
      oldTickMs: 60_000,
    });
    await watch.load();
  });

  it('compares an execution with prices after those that it has seen, and after its creation', async () => {
    watch.ticks([tick('120', startMs - 5_000)]);
    await watch.idle();
    watch.ticks([tick('100', startMs)]);
    await watch.idle();
    watch.announced([
      levels('new'),
      levels('saw it', { createdMs: startMs - 9_000, seenMs: startMs - 5_000 }),
      levels('missed it', { createdMs: startMs - 9_000, seenMs: startMs - 6_000 }),
    ]);
    await watch.idle();
    assert.deepEqual(crossed, ['missed it']);
  });

  it('shows extremes that were looked up to executions that have not acted since their beginning', async () => {
    const live = tick('100', startMs);
    watch.announced([
      levels('idle', { createdMs: startMs - 60_000, seenMs: startMs - 30_000 }),
      levels('acted since', { createdMs: startMs - 60_000, seenMs: startMs - 9_000 }),
      levels('new', { createdMs: startMs - 9_000 }),
    ]);
    watch.ticks([live]);
    await watch.idle();
    watch.ticks([{ ...live, high: Decimal.parse('120'), since: startMs - 20_000, at: startMs + 1 }]);
    await watch.idle();
    assert.deepEqual(crossed, ['idle']);
  });

  it('leaves executions of another market to the watch of that market', async () => {
    watch.announced([levels('here'), levels('elsewhere', { market: 'binance-futures' })]);
    assert.equal(watch.size, 1);
    watch.ticks([tick('120', startMs + 1)]);
    await watch.idle();
    assert.deepEqual(crossed, ['here']);
  });
});
