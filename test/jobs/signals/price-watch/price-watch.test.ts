import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { PriceWatch } from '../../../../jobs/signals/price-watch/price-watch.js';
import type { AnnouncedLevels } from '../../../../storage/signals/level-announcements.js';
import type { WatchedExecution } from '../../../../storage/signals/watched-execution.js';
import { until } from '../../../support/process/until.js';

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
  let ranges: [string, string][];
  let warned: string[];
  let watch: PriceWatch;
  /** What the test makes it wait for, or fail at. */
  let storing: () => void;
  let matching: () => Promise<string[]>;
  let reading: () => AsyncGenerator<WatchedExecution[]>;

  beforeEach(async () => {
    [crossed, ranges, warned] = [[], [], []];
    storing = () => undefined;
    matching = async () => [];
    reading = async function* () {
      yield [];
    };
    watch = new PriceWatch({
      market: 'demo',
      executions: {
        cross: async (ids, { high, low }) => {
          storing();
          crossed.push(...ids);
          ranges.push([high, low]);
        },
        wake: async () => [],
        wakeWithOrders: async () => undefined,
        watchedPages: () => reading(),
      },
      due: { add: async () => undefined },
      queue: { wake: async () => undefined },
      match: () => matching(),
      progress: { write: async () => undefined },
      log: { warn: (_: unknown, words?: string) => void warned.push(words!) },
      oldTickMs: 60_000,
    });
    await watch.load();
  });
  afterEach(() => watch.close());

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

  it('tells the prices before and after a command apart', async () => {
    watch.ticks([tick('95', startMs - 5_000)]);
    await watch.idle();
    watch.ticks([tick('85', startMs - 4_000)]);
    await watch.idle();
    watch.ticks([tick('96', startMs - 1_000)]);
    await watch.idle();
    watch.announced([
      levels('moved', { createdMs: startMs - 9_000, seenMs: startMs - 6_000, setMs: startMs - 2_000 }),
    ]);
    await watch.idle();
    assert.deepEqual(ranges, [
      ['95', '85'],
      ['96', '96'],
    ]);
  });

  for (const aheadMs of [60_000, -300_000])
    it(`is not deaf to a venue whose clock is ${aheadMs / 1_000} s ahead`, async () => {
      const at = startMs + aheadMs;
      watch.announced([levels('stop', { seenMs: at - 1_000, createdMs: startMs })]);
      watch.ticks([tick('100', at - 500), tick('89', at)]);
      await watch.idle();
      assert.deepEqual(crossed, ['stop']);
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

  it('shows a price that could not be stored with the next one, and loses no extreme of it', async () => {
    storing = () => {
      storing = () => undefined;
      throw new Error('MongoDB does not answer');
    };
    reading = async function* () {
      yield [levels('long').levels!];
    };
    watch.announced([levels('long')]);
    watch.ticks([tick('120', startMs + 1)]);
    await watch.idle();
    assert.deepEqual(crossed, []);
    watch.ticks([tick('100', startMs + 2)]);
    await watch.idle();
    assert.deepEqual([crossed, ranges], [['long'], [['120', '100']]]);
    assert.deepEqual(warned, ['ticks not processed; levels are read again']);
  });

  it('stores what prices cross while thousands of orders are matched', async () => {
    let matched!: (owners: string[]) => void;
    matching = () => new Promise((resolve) => (matched = resolve));
    watch.announced([levels('long'), levels('other', { pair: 'ETH/USDT' })]);
    watch.ticks([tick('120', startMs + 1)]);
    await until('the first crossing', () => crossed.includes('long'));
    watch.ticks([{ ...tick('80', startMs + 2), pair: { base: 'ETH', quote: 'USDT' } }]);
    await until('the crossing of another pair', () => crossed.includes('other'));
    // The second tick is matched after the first.
    matching = async () => [];
    matched([]);
    await watch.idle();
  });

  it('matches ticks once more that were not matched', async () => {
    let matched = 0;
    matching = async () => {
      if (++matched === 1) throw new Error('MongoDB does not answer');
      return [];
    };
    watch.ticks([tick('120', startMs + 1)]);
    await watch.idle();
    await watch.idle();
    assert.deepEqual([matched, warned], [2, ['orders not matched; they are matched with the next ticks']]);
  });

  it('works on prices while levels are read again, and finds what it had missed', async () => {
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    reading = async function* () {
      yield [levels('known').levels!];
      await held;
      yield [levels('missed').levels!];
    };
    watch.announced([levels('known')]);
    watch.noteMissed();
    watch.ticks([tick('120', startMs + 1)]);
    await until('the crossing', () => crossed.includes('known'));
    goOn();
    await until('the missed one', () => crossed.includes('missed'));
    assert.deepEqual(crossed, ['known', 'missed']);
  });

  it('stores a crossing of another pair between the thousands of one pair', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => levels(`long ${n}`));
    watch.announced([...many, levels('other', { pair: 'ETH/USDT' })]);
    const eth = { ...tick('80', startMs + 2), pair: { base: 'ETH', quote: 'USDT' } };
    storing = () => {
      if (crossed.length === 100) watch.ticks([eth]);
    };
    watch.ticks([tick('120', startMs + 1)]);
    await watch.idle();
    assert.equal(new Set(crossed).size, 2_001);
    assert.ok(crossed.indexOf('other') <= 400, String(crossed.indexOf('other')));
  });

  it('keeps up with a flood of prices of one pair, which become one with all of their range', async () => {
    let matched = 0;
    matching = async () => {
      matched++;
      return [];
    };
    watch.announced([levels('long'), levels('other', { pair: 'ETH/USDT' })]);
    for (let n = 1; n <= 10_000; n++) watch.ticks([tick(n === 5_000 ? '120' : '100', startMs + n)]);
    watch.ticks([{ ...tick('80', startMs + 1), pair: { base: 'ETH', quote: 'USDT' } }]);
    await watch.idle();
    assert.deepEqual([crossed.sort(), matched <= 3], [['long', 'other'], true]);
  });
});
