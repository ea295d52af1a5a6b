import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Candles } from '../../../compute/model/candles.js';
import { intervals, type Interval } from '../../../compute/model/interval.js';
import { digestOfMonths } from '../../../storage/candles/candle-block.js';
import type { SeriesMonth } from '../../../storage/candles/candle-reader.js';
import type { Pair, SeriesKey } from '../../../storage/candles/series.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { pickCandles } from './candle-parts.js';
import { repairCandle } from './repair-candle.js';
import { freshPair, temporaryStorage } from '../../support/servers/temporary-storage.js';

const positions = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
/** Hours of five months; those of January end at 744, of February at 1440, of March at 2184, of April at 2904. */
const all = randomCandles(3_400, { startMs: Date.UTC(2024, 0, 1) });
const hours = (from: number, to: number) => pickCandles(all, positions(from, to));

const facts = ({ month, count, digest }: SeriesMonth) => ({ month, count, digest });

describe('CandleReader', () => {
  const context = temporaryStorage();
  const add = (pair: Pair, candles: Candles) => context.storage.candles.add(pair, candles);
  const read = async (pair: Pair, held?: readonly SeriesMonth[], interval: Interval = '1h') =>
    (await context.storage.candles.read({ ...pair, interval }, held))!;
  /** The months that came with candles. */
  const brought = async (pair: Pair, held: readonly SeriesMonth[], interval: Interval = '1h') =>
    (await read(pair, held, interval)).months.filter(({ candles }) => candles).map(({ month }) => month);

  it('brings every month to a reader that holds none', async () => {
    const pair = freshPair();
    await add(pair, hours(0, 1_500));
    assert.deepEqual(await brought(pair, []), ['2024-01', '2024-02', '2024-03']);
    assert.equal(await context.storage.candles.read({ ...freshPair(), interval: '1h' }), null);
  });

  it('brings the last month after an append, on every interval, and new ones', async () => {
    const pair = freshPair();
    await add(pair, hours(0, 2_000));
    const held = await Promise.all(
      intervals.map(async (interval) => [interval, (await read(pair, [], interval)).months] as const),
    );
    await add(pair, hours(2_000, 2_100));
    for (const [interval, months] of held)
      assert.deepEqual(await brought(pair, months, interval), ['2024-03'], interval);
    await add(pair, hours(2_100, 3_400));
    for (const [interval, months] of held)
      assert.deepEqual(await brought(pair, months, interval), ['2024-03', '2024-04', '2024-05'], interval);
  });

  it('brings nothing where nothing has changed', async () => {
    const pair = freshPair();
    await add(pair, hours(0, 2_000));
    const { months } = await read(pair);
    await add(pair, hours(100, 900));
    const again = await read(pair, months);
    assert.deepEqual(
      again.months,
      months.map((month) => ({ ...month, candles: null })),
    );
  });

  it('brings the months in which earlier candles have changed, and no others', async () => {
    const pair = freshPair();
    await add(pair, pickCandles(all, [...positions(800, 1_000), ...positions(1_010, 3_400)]));
    const { months } = await read(pair);
    await add(pair, hours(1_000, 1_010));
    assert.deepEqual(await brought(pair, months), ['2024-02']);
    const filled = await read(pair, months);
    await add(pair, hours(700, 800));
    assert.deepEqual(await brought(pair, filled.months), ['2024-01', '2024-02']);
    const longer = await read(pair, filled.months);
    await repairCandle(context, pair, all.time[1_500], 1);
    assert.deepEqual(await brought(pair, longer.months), ['2024-03']);
  });

  it('brings all that is there to a reader of one month that had others before it, or has gone', async () => {
    const pair = freshPair();
    const key: SeriesKey = { ...pair, interval: '1h' };
    await add(pair, hours(1_500, 1_600));
    const earlier = (await context.storage.series.find(key))!;
    const { months } = await read(pair);
    await add(pair, hours(700, 1_500));
    assert.deepEqual(await brought(pair, months), ['2024-01', '2024-02', '2024-03']);
    await add(pair, hours(1_600, 3_000));
    const later = (await read(pair)).months.filter(({ month }) => month > '2024-03');
    await context.storage.series.put(earlier, Date.now());
    assert.deepEqual(await brought(pair, later), ['2024-03']);
    assert.deepEqual((await read(pair, later)).months.map(facts), months.map(facts));
  });

  it('shows a reader nothing of candles whose series is not written yet, whatever it holds', async () => {
    const pair = freshPair();
    const key: SeriesKey = { ...pair, interval: '1h' };
    await add(pair, hours(100, 2_000));
    const before = (await context.storage.series.find(key))!;
    const held = await read(pair);
    // In the month that is there, into a new one, and in front, as if the writer had been cut off each time.
    for (const [from, to, ...changed] of [
      [2_000, 2_001, '2024-03'],
      [2_001, 2_300, '2024-03', '2024-04'],
      [0, 100, '2024-01', '2024-03', '2024-04'],
    ] as const) {
      await add(pair, hours(from, to));
      const written = (await context.storage.series.find(key))!;
      await context.storage.series.put(before, Date.now());
      for (const months of [[], held.months.slice(0, 1), held.months]) {
        const found = await read(pair, months);
        assert.equal(found.series.digest, before.digest);
        assert.deepEqual(found.months.map(facts), held.months.map(facts));
      }
      await context.storage.series.put(written, Date.now());
      assert.deepEqual(await brought(pair, held.months), changed);
    }
    assert.deepEqual((await context.storage.candles.load(key))?.candles, hours(0, 2_300));
  });

  it('waits for the end of a repair, and returns the stored blocks if it does not end', async () => {
    const pair = freshPair();
    const key: SeriesKey = { ...pair, interval: '1h' };
    const series = async () => (await context.storage.series.find(key))!;
    await add(pair, pickCandles(all, [...positions(0, 1_000), ...positions(1_010, 2_000)]));
    const before = await series();
    const held = (await read(pair)).months;
    await add(pair, hours(1_000, 1_010));
    const after = await series();
    await context.storage.series.put(before, Date.now());
    const reads = [read(pair), read(pair, held.slice(0, 1))];
    // A reader that holds all months from before the repair does not wait: its months match the series.
    assert.equal((await read(pair, held)).series.digest, before.digest);
    await pause(30);
    await context.storage.series.put(after, Date.now());
    for (const { series, months } of await Promise.all(reads)) {
      assert.equal(series.digest, after.digest);
      assert.equal(digestOfMonths(months), after.digest);
    }
    await context.storage.series.put(before, Date.now());
    const cutOff = await read(pair);
    assert.deepEqual([cutOff.series.digest, digestOfMonths(cutOff.months)], [before.digest, after.digest]);
  });
});
