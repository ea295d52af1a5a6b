import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { candleBytes, sliceCandles, firstCandleFrom, type Candles } from '../../../compute/model/candles.js';
import { nextVersion, SharedColumns, type SeriesVersion } from '../../../jobs/node/series-version.js';
import {
  firstFault,
  numberedCandles,
  repair,
  type NumberedCandles,
  type Repairs,
} from '../../support/candles/numbered-candles.js';
import { until } from '../../support/process/until.js';
import { digestOfCandles, monthOf } from '../../../storage/candles/candle-block.js';
import type { ReadMonth, SeriesMonth } from '../../../storage/candles/candle-reader.js';

/** What a read of the candles brings a reader that holds the given months. */
function readMonths(candles: Candles, held: readonly SeriesMonth[] = []): ReadMonth[] {
  const months: ReadMonth[] = [];
  for (let from = 0; from < candles.time.length;) {
    const date = new Date(candles.time[from]);
    const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    const to = firstCandleFrom(candles.time, end);
    const part = sliceCandles(candles, from, to);
    const read = { month: monthOf(candles.time[from]), count: to - from, digest: digestOfCandles(part) };
    const isHeld = held.some(({ month, digest }) => month === read.month && digest === read.digest);
    months.push({ ...read, candles: isHeld ? null : part });
    from = to;
  }
  return months;
}

/** The version after the candles have become `count`, with the given repairs. */
const after = (held: SeriesVersion | undefined, count: number, spare: number, repairs: Repairs = []) =>
  nextVersion(held, readMonths(numberedCandles(count, repairs), held?.months), spare);

describe('SharedColumns', () => {
  const ten = numberedCandles(10);
  const part = (from: number, to: number) => sliceCandles(ten, from, to);

  it('writes behind what it has handed out, in the same memory', () => {
    const columns = new SharedColumns(8);
    assert.equal(columns.bytes, candleBytes(8));
    const three = columns.append(0, [part(0, 3)])!;
    const six = columns.append(3, [part(3, 4), part(4, 6)])!;
    assert.deepEqual(three, part(0, 3));
    assert.deepEqual(six, part(0, 6));
    assert.ok(six.close.buffer instanceof SharedArrayBuffer);
    assert.equal(six.close.buffer, three.time.buffer);
  });

  it('takes nothing that does not fit, and nothing in the place of what somebody may read', () => {
    const columns = new SharedColumns(8);
    const six = columns.append(0, [part(0, 6)])!;
    assert.equal(columns.append(6, [part(6, 9)]), null);
    assert.equal(columns.append(3, [part(7, 8)]), null);
    assert.deepEqual(six, part(0, 6));
    assert.deepEqual(columns.append(6, [part(6, 8)]), part(0, 8));
    assert.deepEqual(columns.append(8, []), part(0, 8));
  });
});

describe('a version of a series', () => {
  it('shares the memory of the one before as long as candles come behind it and there is room', () => {
    const { kind, version: first } = after(undefined, 40, 30);
    assert.equal(kind, 'whole');
    assert.equal(first.columns.bytes, candleBytes(70));
    // Into the same month, over the end of two, and nothing new.
    const second = after(first, 41, 30);
    const third = after(second.version, 70, 30);
    assert.deepEqual(
      [second.kind, third.kind, after(third.version, 70, 30).kind],
      ['append', 'append', 'none'],
    );
    assert.equal(third.version.columns, first.columns);
    const fourth = after(third.version, 71, 30);
    assert.equal(fourth.kind, 'append');
    assert.notEqual(fourth.version.columns, first.columns);
    assert.equal(fourth.version.columns.bytes, candleBytes(101));
    assert.deepEqual(fourth.version.candles, numberedCandles(71));
    assert.deepEqual(first.candles, numberedCandles(40));
  });

  it('has memory of its own where an earlier candle has changed, in whichever month', () => {
    for (const index of [0, 35, 59, 60, 74]) {
      const held = after(undefined, 75, 30).version;
      const repairs = [[index, 0.5]] as const;
      const { kind, version } = after(held, 76, 30, repairs);
      assert.equal(kind, 'change', `candle ${index}`);
      assert.notEqual(version.columns, held.columns);
      assert.deepEqual(version.candles, numberedCandles(76, repairs));
      assert.deepEqual(held.candles, numberedCandles(75));
    }
  });

  it('has memory of its own where candles have come before, or have gone', () => {
    const all = numberedCandles(100);
    const held = nextVersion(undefined, readMonths(sliceCandles(all, 45, 90)), 30).version;
    for (const [from, to] of [
      [44, 90],
      [20, 91],
      [0, 100],
      [45, 89],
      [45, 60],
      [46, 90],
      [70, 100],
    ]) {
      const now = sliceCandles(all, from, to);
      const { kind, version } = nextVersion(held, readMonths(now, held.months), 30);
      assert.equal(kind, 'change', `${from} to ${to}`);
      assert.deepEqual(version.candles, now);
      assert.equal(version.contentDigest, nextVersion(undefined, readMonths(now), 0).version.contentDigest);
    }
    assert.deepEqual(held.candles, sliceCandles(all, 45, 90));
  });

  it('does not write over what a longer one had that was taken back', () => {
    const first = after(undefined, 40, 30).version;
    const longer = after(first, 45, 30).version;
    const shorter = after(longer, 42, 30).version;
    const other = after(shorter, 45, 30, [[42, 7]]).version;
    assert.deepEqual(longer.candles, numberedCandles(45));
    assert.deepEqual(other.candles, numberedCandles(45, [[42, 7]]));
    // The one it began with goes on from where it was, as another node would.
    const again = after(first, 45, 30, [[41, 7]]).version;
    assert.deepEqual(longer.candles, numberedCandles(45));
    assert.deepEqual(again.candles, numberedCandles(45, [[41, 7]]));
  });

  it('is that of a whole read, whatever came before, and stays so whatever comes', () => {
    const step = fc.record({
      grow: fc.integer({ min: -20, max: 60 }),
      repairs: fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 9 })), { maxLength: 2 }),
      front: fc.boolean(),
    });
    const check = (
      steps: { grow: number; repairs: (readonly [number, number])[]; front: boolean }[],
      spare: number,
    ) => {
      let [from, to] = [200, 260];
      let held: SeriesVersion | undefined;
      const repairs = new Map<number, number>();
      const seen: { version: SeriesVersion; copy: unknown }[] = [];
      for (const { grow, repairs: found, front } of steps) {
        if (front) from = Math.max(0, from - Math.abs(grow));
        else to = Math.max(from + 1, to + grow);
        for (const [index, by] of found) repairs.set(index, by);
        const known = [...repairs].filter(([index]) => index < to);
        const now = sliceCandles(numberedCandles(to, known), from, to);
        held = nextVersion(held, readMonths(now, held?.months), spare).version;
        const whole = nextVersion(undefined, readMonths(now), spare).version;
        assert.deepEqual(held.candles, whole.candles);
        assert.deepEqual(held.candles, now);
        assert.equal(held.contentDigest, whole.contentDigest);
        assert.deepEqual(held.months, whole.months);
        seen.push({ version: held, copy: structuredClone(now) });
        for (const { version, copy } of seen) assert.deepEqual(version.candles, copy);
      }
    };
    fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), fc.nat(80), check), {
      numRuns: 150,
    });
  });
});

describe('a thread that reads a version', () => {
  it('sees neither later candles nor parts of them, nor what was repaired, while thousands come', async () => {
    const passes = new Int32Array(new SharedArrayBuffer(4));
    const reader = new Worker(new URL('../../support/jobs/version-reader-main.js', import.meta.url), {
      workerData: passes,
    });
    const tell = (message: NumberedCandles | null) => reader.postMessage(message);
    const repairs: [number, number][] = [];
    const all = numberedCandles(300 + 3_000);
    let held = after(undefined, 300, 400).version;
    tell({ candles: held.candles, count: 300, repairs: [] });
    await until('the first pass', () => Atomics.load(passes, 0) > 0);
    const before = Atomics.load(passes, 0);
    let count = 300;
    let shared = 0;
    for (let n = 0; n < 2_000; n++) {
      count += 1 + (n % 2);
      if (n % 97 === 0) {
        repairs.push([(n * 31) % count, n + 1]);
        repair(all, repairs.slice(-1));
      }
      const { version } = nextVersion(held, readMonths(sliceCandles(all, 0, count), held.months), 400);
      if (version.columns === held.columns) shared++;
      held = version;
      tell({ candles: held.candles, count, repairs: [...repairs] });
      // However busy the machine is, it reads while they come.
      const seen = Atomics.load(passes, 0);
      if (n % 50 === 0) await until('another pass', () => Atomics.load(passes, 0) > seen);
    }
    const during = Atomics.load(passes, 0) - before;
    // The last message and the exit can come in the same turn of the event loop.
    const [told, exited] = [once(reader, 'message'), once(reader, 'exit')];
    tell(null);
    assert.deepEqual(await told, [[]]);
    await exited;
    assert.ok(during > 20 && shared > 1_900, `${during} passes, ${shared} appends in place`);
    assert.equal(firstFault({ candles: held.candles, count, repairs }), null);
  });
});
