import assert from 'node:assert/strict';
import { candleColumns, createCandles, type Candles } from '../../../compute/model/candles.js';
import { intervalMs, intervals, type Interval } from '../../../compute/model/interval.js';
import { digestOfMonths, encodeBlock, type CandleBlock } from '../../../storage/candles/candle-block.js';
import type { Storage } from '../../../storage/index.js';
import type { Pair } from '../../../storage/candles/series.js';
import { dropCandles } from '../../support/candles/drop-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { hourMs, pickCandles, resampledByWords, withoutCandles } from './candle-parts.js';
import { freshPair, temporaryStorage } from '../../support/servers/temporary-storage.js';

const positions = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('CandleRepository', () => {
  const context = temporaryStorage();
  const add = (pair: Pair, candles: Candles) => context.storage.candles.add(pair, candles);
  const load = (pair: Pair, interval: Interval = '1h', storage: Storage = context.storage) =>
    storage.candles.load({ ...pair, interval });
  const digests = async (pair: Pair) =>
    Promise.all(intervals.map(async (interval) => (await load(pair, interval))?.series.digest));

  it('gives back equal candles, and what the series holds', async () => {
    const pair = freshPair();
    const candles = randomCandles(100);
    assert.deepEqual(await add(pair, candles), { stored: 100, alreadyThere: 0, conflicts: [] });
    const loaded = await load(pair, '1h', context.another());
    assert.deepEqual(loaded?.candles, candles);
    const { digest, updatedAt, ...series } = loaded.series;
    assert.match(digest, /^[0-9a-f]{64}$/);
    assert.ok(updatedAt instanceof Date);
    assert.deepEqual(series, {
      ...pair,
      interval: '1h',
      first: candles.time[0],
      last: candles.time[99],
      count: 100,
      missing: 0,
      gaps: [],
    });
  });

  it('gives the last candles that had closed by a time, over months and gaps', async () => {
    const pair = freshPair();
    const candles = dropCandles(
      randomCandles(24 * 200),
      (index) => index % 97 === 5 || (index > 2_000 && index < 3_500),
    );
    await add(pair, candles);
    for (const interval of intervals) {
      const { series, candles: all } = (await load(pair, interval))!;
      const length = intervalMs(interval);
      const ends = [0, 1, 300, 1_999, 2_500, 4_799].map((hour) => candles.time[0] + hour * hourMs);
      for (const endMs of [...ends, series.last + length - 1, series.last + length, Infinity])
        for (const count of [1, 7, 500]) {
          const end = all.time.filter((time) => time + length <= endMs).length;
          const found = await context.storage.candles.closedBy(series, endMs, count);
          assert.deepEqual(
            Object.fromEntries(candleColumns.map((name) => [name, [...found[name]]])),
            Object.fromEntries(
              candleColumns.map((name) => [name, [...all[name].slice(Math.max(0, end - count), end)]]),
            ),
            `${count} ${interval} candles by ${new Date(Math.min(endMs, 9e12)).toISOString()}`,
          );
        }
    }
  });

  it('gives no candles outside of what the series covers', async () => {
    const pair = freshPair();
    const candles = randomCandles(100);
    await add(pair, candles);
    // A block that a back-fill and an append have written, while the series is still the one of before.
    const before = { ...(await load(pair))!.series, first: candles.time[40], last: candles.time[79] };
    const covered = pickCandles(candles, positions(40, 80));
    assert.deepEqual(await context.storage.candles.last(before, 90), covered);
    const closed = await context.storage.candles.closedBy(before, Infinity, 90);
    assert.deepEqual([...closed.time], [...covered.time]);
  });

  it('gives memory that threads can share', async () => {
    const pair = freshPair();
    await add(pair, randomCandles(50));
    for (const interval of intervals) {
      const { time, volume } = (await load(pair, interval))!.candles;
      assert.ok(time.buffer instanceof SharedArrayBuffer);
      assert.equal(time.buffer, volume.buffer);
      assert.equal(time.buffer.byteLength, time.length * 48);
    }
  });

  it('has nothing of a pair that is not stored, and of other markets and quotes', async () => {
    const pair = freshPair();
    assert.equal(await load(pair), null);
    await add(pair, randomCandles(3));
    assert.equal(await load({ ...pair, market: 'demo' }), null);
    assert.equal(await load({ ...pair, quote: 'BTC' }), null);
    assert.equal(await load({ ...pair, quote: 'USD' }), null);
  });

  it('has no 4h and 1d candles while no such time is over', async () => {
    const pair = freshPair();
    await add(pair, randomCandles(3));
    assert.deepEqual([await load(pair, '4h'), await load(pair, '1d')], [null, null]);
  });

  it('stores nothing for no candles', async () => {
    const pair = freshPair();
    assert.deepEqual(await add(pair, createCandles(0)), { stored: 0, alreadyThere: 0, conflicts: [] });
    assert.equal(await load(pair), null);
  });

  it('keeps one document per calendar month', async () => {
    const pair = freshPair();
    const startMs = Date.UTC(2023, 11, 31, 20);
    await add(pair, randomCandles(800, { startMs }));
    const documents = await context.db.collection('candles').find({}).sort({ _id: 1 }).toArray();
    const own = documents.map(({ _id, count }) => [String(_id), count as number] as const);
    assert.deepEqual(
      own.filter(([id]) => id.startsWith(`csv:${pair.base}/USDT:1h:`)),
      [
        [`csv:${pair.base}/USDT:1h:2023-12`, 4],
        [`csv:${pair.base}/USDT:1h:2024-01`, 744],
        [`csv:${pair.base}/USDT:1h:2024-02`, 52],
      ],
    );
    assert.deepEqual((await load(pair))?.candles, randomCandles(800, { startMs }));
  });

  it('changes nothing when candles are added twice', async () => {
    const pair = freshPair();
    const candles = withoutCandles(randomCandles(800), [5, 6, 7, 400]);
    await add(pair, candles);
    const before = await digests(pair);
    assert.deepEqual(await add(pair, candles), { stored: 0, alreadyThere: 796, conflicts: [] });
    assert.deepEqual(await digests(pair), before);
  });

  it('adds only the new ones of overlapping candles', async () => {
    const pair = freshPair();
    const candles = randomCandles(300);
    await add(pair, pickCandles(candles, positions(100, 200)));
    assert.deepEqual(await add(pair, pickCandles(candles, positions(50, 250))), {
      stored: 100,
      alreadyThere: 100,
      conflicts: [],
    });
    await add(pair, pickCandles(candles, positions(240, 300)));
    await add(pair, pickCandles(candles, positions(0, 60)));
    assert.deepEqual((await load(pair))?.candles, candles);
  });

  it('keeps a stored candle and returns the time of one that differs', async () => {
    const pair = freshPair();
    const candles = randomCandles(60);
    await add(pair, pickCandles(candles, positions(0, 50)));
    const before = (await load(pair))?.candles;
    const other = pickCandles(candles, positions(0, 60));
    other.close[10] += 1;
    other.volume[20] = 0;
    assert.deepEqual(await add(pair, other), {
      stored: 10,
      alreadyThere: 48,
      conflicts: [candles.time[10], candles.time[20]],
    });
    const after = await load(pair);
    assert.deepEqual(after?.candles, candles);
    assert.deepEqual(pickCandles(after.candles, positions(0, 50)), pickCandles(before!, positions(0, 50)));
    assert.deepEqual((await load(pair, '4h'))?.candles, resampledByWords(candles, '4h'));
  });

  it('records gaps within a month and between months, and forgets them once filled', async () => {
    const pair = freshPair();
    const candles = randomCandles(24 * 70);
    const { time } = candles;
    // The second gap takes the last hours of January and all of February up to the 20th.
    const gone = [10, 11, ...positions(740, 1200)];
    await add(pair, withoutCandles(candles, gone));
    const { gaps, missing, count } = (await load(pair))!.series;
    assert.deepEqual(
      { gaps, missing, count },
      {
        gaps: [
          { after: time[9], next: time[12], missing: 2 },
          { after: time[739], next: time[1200], missing: 460 },
        ],
        missing: 462,
        count: 24 * 70 - 462,
      },
    );
    await add(pair, pickCandles(candles, gone));
    assert.deepEqual((await load(pair))?.series.gaps, []);
    assert.deepEqual((await load(pair))?.candles, candles);
  });

  it('records a gap of whole months', async () => {
    const pair = freshPair();
    const [january, june] = [Date.UTC(2024, 0, 31, 23), Date.UTC(2024, 5, 1)];
    await add(pair, randomCandles(1, { startMs: june }));
    await add(pair, randomCandles(1, { startMs: january }));
    const missing = (june - january) / hourMs - 1;
    assert.deepEqual((await load(pair))?.series.gaps, [{ after: january, next: june, missing }]);
  });

  /** Stores blocks without updating their series, as a writer does that is killed in between. */
  const leaveBlocks = async (pair: Pair, parts: readonly Candles[]) => {
    const blocks = parts.map((part) => encodeBlock({ ...pair, interval: '1h' }, part));
    await context.db.collection<CandleBlock>('candles').insertMany(blocks);
  };

  it('counts no block but its own, however near its id', async () => {
    const pair = freshPair();
    const candles = randomCandles(24 * 40, { startMs: Date.UTC(2024, 0, 1) });
    await add({ ...pair, base: `${pair.base}0` }, candles);
    await add({ ...pair, quote: 'USD' }, candles);
    await leaveBlocks(pair, [randomCandles(5, { startMs: Date.UTC(2023, 11, 31) })]);
    const own = encodeBlock({ ...pair, interval: '1h' }, candles);
    const blocks = context.db.collection<CandleBlock>('candles');
    for (const id of [`${own._id}-copy`, `${own._id.slice(0, -2)}`, `${own._id}:2024-01`])
      await blocks.insertOne({ ...own, _id: id });
    await add(pair, pickCandles(candles, positions(0, 900)));
    await add(pair, pickCandles(candles, positions(900, 960)));
    const { series, candles: stored } = (await load(pair))!;
    assert.deepEqual(stored, candles);
    assert.deepEqual([series.count, series.missing, series.first], [960, 0, candles.time[0]]);
    assert.deepEqual((await load(pair, '1d'))?.candles, resampledByWords(candles, '1d'));
  });

  it('loses no month, over years and gaps, at whatever end and in whatever order it is added', async () => {
    const pair = freshPair();
    const startMs = Date.UTC(2022, 10, 20);
    const all = randomCandles(24 * 500, { startMs });
    // February 2023 is left out, and so are the months from June to August.
    const isGone = (time: number) =>
      [1, 5, 6, 7].includes(new Date(time).getUTCMonth()) && time < Date.UTC(2024, 0);
    const candles = pickCandles(
      all,
      positions(0, all.time.length).filter((i) => !isGone(all.time[i])),
    );
    const count = candles.time.length;
    for (const [from, to] of [
      [4_000, 4_001],
      [count - 700, count],
      [0, 300],
      [4_001, count - 700],
      [300, 4_000],
    ]) {
      await add(pair, pickCandles(candles, positions(from, to)));
      const { digest, count: held } = (await load(pair, '1h', context.another()))!.series;
      const blocks = await context.db
        .collection<CandleBlock>('candles')
        .find({ _id: { $regex: `^csv:${pair.base}/USDT:1h:` } })
        .sort({ _id: 1 })
        .toArray();
      assert.equal(
        held,
        blocks.reduce((sum, block) => sum + block.count, 0),
      );
      assert.equal(digest, digestOfMonths(blocks));
    }
    const stored = (await load(pair))!;
    assert.deepEqual(stored.candles, candles);
    assert.equal(stored.series.missing, all.time.length - count);
    for (const interval of ['4h', '1d'] as const)
      assert.deepEqual((await load(pair, interval))?.candles, resampledByWords(candles, interval));
  });

  it('takes up what a write that was cut off has left, once that lies within the series', async () => {
    const pair = freshPair();
    const candles = randomCandles(24 * 120, { startMs: Date.UTC(2024, 0, 1) });
    const months = [0, 744, 744 + 696, 744 + 696 + 744, 24 * 120];
    const [january, february, march, april] = positions(0, 4).map((n) =>
      pickCandles(candles, positions(months[n], months[n + 1])),
    );
    await leaveBlocks(pair, [february, march]);
    await add(pair, january);
    const { series } = (await load(pair))!;
    assert.equal(series.count, 744);
    // They are not part of the last candles either.
    assert.deepEqual(await context.storage.candles.last(series, 2), pickCandles(candles, [742, 743]));
    await add(pair, april);
    assert.deepEqual((await load(pair))?.candles, candles);
    for (const interval of ['4h', '1d'] as const)
      assert.deepEqual((await load(pair, interval))?.candles, resampledByWords(candles, interval));
  });

  it('has the last candles over the end of a month and over months that are missing', async () => {
    const pair = freshPair();
    const [november, march] = [Date.UTC(2023, 10, 30, 20), Date.UTC(2024, 2, 1)];
    const [early, late] = [randomCandles(4, { startMs: november }), randomCandles(3, { startMs: march })];
    await add(pair, early);
    await add(pair, late);
    const { series } = (await load(pair))!;
    const last = await context.storage.candles.last(series, 5);
    assert.deepEqual([...last.time], [...early.time.slice(2), ...late.time]);
    assert.deepEqual([...last.close], [...early.close.slice(2), ...late.close]);
    assert.deepEqual(await context.storage.candles.last(series, 2), pickCandles(late, [1, 2]));
  });

  it('loses nothing when several processes write one pair at once', async () => {
    const pair = freshPair();
    const candles = randomCandles(24 * 40);
    const writers = [context.storage, context.another(), context.another()];
    const shares = positions(0, 6).map((share) => positions(0, 960).filter((i) => i % 6 === share));
    const added = await Promise.all(
      shares.map((share, i) => writers[i % 3].candles.add(pair, pickCandles(candles, share))),
    );
    assert.deepEqual(new Set(added.map(({ stored }) => stored)), new Set([160]));
    assert.deepEqual((await load(pair))?.candles, candles);
    for (const interval of ['4h', '1d'] as const) {
      assert.deepEqual((await load(pair, interval))?.candles, resampledByWords(candles, interval));
    }
  });

  const readWhile = async (pair: Pair, writing: Promise<unknown>) => {
    const reader = context.another();
    const state = { over: false };
    const written = writing.finally(() => (state.over = true));
    let reads = 0;
    while (!state.over) {
      for (const interval of intervals) {
        const loaded = await load(pair, interval, reader);
        if (!loaded) continue;
        const { time } = loaded.candles;
        const { first, last, count } = loaded.series;
        assert.deepEqual([time[0], time[time.length - 1], time.length], [first, last, count], interval);
        reads++;
      }
    }
    await written;
    assert.ok(reads > 0);
  };

  it('never shows a reader half of an append', async () => {
    const pair = freshPair();
    const candles = randomCandles(24 * 60);
    await add(pair, pickCandles(candles, positions(0, 700)));
    const writing = async () => {
      for (const at of [700, 760, 1100, 1103])
        await add(pair, pickCandles(candles, positions(at, at === 1103 ? 1440 : at + 60)));
    };
    await readWhile(pair, writing());
  });

  it('never shows a reader half of a back-fill', async () => {
    const pair = freshPair();
    const candles = randomCandles(24 * 120);
    await add(pair, pickCandles(candles, positions(2500, 2880)));
    const writing = async () => {
      for (const at of [2000, 1500, 1000, 500, 0])
        await add(pair, pickCandles(candles, positions(at, at + 500)));
    };
    await readWhile(pair, writing());
  });
});
