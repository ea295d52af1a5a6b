import assert from 'node:assert/strict';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { CandleImport, type ImportReport } from '../../../jobs/market/candle-import.js';
import type { Pair } from '../../../storage/candles/series.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { hourMs, pickCandles } from '../../storage/candles/candle-parts.js';
import { freshPair, temporaryStorage } from '../../support/servers/temporary-storage.js';
import { csvLines, header, writeCsv } from '../../support/candles/candle-files.js';

const startMs = Date.UTC(2024, 0, 1);
const nowMs = Date.UTC(2025, 0, 1);
const candle = (hour: number, close = 11) => `${startMs + hour * hourMs},10,12,9,${close},5`;

describe('CandleImport', () => {
  const context = temporaryStorage();
  const folder = temporaryFolder();
  const noTime = 'time is neither a date nor a number of a known unit';
  const importFile = (pair: Pair, path: string) =>
    new CandleImport(context.storage, pair, () => undefined).run(path, nowMs);
  const importLines = async (pair: Pair, lines: string[]) =>
    importFile(pair, await writeCsv(folder.path, 'candles.csv.gz', [header, ...lines]));
  const load = async (pair: Pair) =>
    (await context.storage.candles.load({ ...pair, interval: '1h' }))?.candles;
  const closes = async (pair: Pair) => Array.from((await load(pair))?.close ?? []);
  const format = 'separated by commas, names in line 1, time in "time" as milliseconds, volume in "volume"';
  const none: ImportReport = { format, read: 0, stored: 0, alreadyThere: 0, refused: 0, refusals: [] };

  it('stores the candles of a file, and nothing the second time', async () => {
    const pair = freshPair();
    const candles = randomCandles(800);
    const first = await importLines(pair, csvLines(candles));
    assert.deepEqual(first, { ...none, read: 800, stored: 800 });
    const { digest } = (await context.storage.series.find({ ...pair, interval: '1h' }))!;
    assert.deepEqual(await load(pair), candles);
    const second = await importLines(pair, csvLines(candles));
    assert.deepEqual(second, { ...none, read: 800, alreadyThere: 800 });
    assert.equal((await context.storage.series.find({ ...pair, interval: '1h' }))?.digest, digest);
  });

  it('puts rows in order', async () => {
    const pair = freshPair();
    const candles = randomCandles(100);
    const order = Array.from({ length: 100 }, (_, i) => (i * 37) % 100);
    await importLines(pair, csvLines(pickCandles(candles, order)));
    assert.deepEqual(await load(pair), candles);
  });

  it('refuses broken rows with their lines, and stores the others', async () => {
    const pair = freshPair();
    const broken = ['x', 'x', 'x', 'x', 'x', 'x', 'x'];
    const report = await importLines(pair, [candle(0), ...broken, candle(1), `${candle(2)}e`, candle(3, 13)]);
    assert.deepEqual(report, {
      format,
      read: 11,
      stored: 2,
      alreadyThere: 0,
      refused: 9,
      refusals: [
        { reason: noTime, lines: 7, firstLines: [3, 4, 5, 6, 7] },
        { reason: 'volume is not a number', lines: 1, firstLines: [11] },
        { reason: 'high is below another price', lines: 1, firstLines: [12] },
      ],
    });
    assert.deepEqual(await closes(pair), [11, 11]);
  });

  it('stores nothing of a file whose rows are all invalid', async () => {
    const pair = freshPair();
    const report = await importLines(pair, ['x', 'y']);
    assert.deepEqual([report.read, report.refused, report.stored], [2, 2, 0]);
    assert.equal(await load(pair), undefined);
  });

  it('counts equal rows for one hour as already there, and refuses different ones', async () => {
    const pair = freshPair();
    const report = await importLines(pair, [candle(1), candle(0), candle(1), candle(1, 12)]);
    assert.deepEqual(report, {
      format,
      read: 4,
      stored: 2,
      alreadyThere: 1,
      refused: 1,
      refusals: [{ reason: 'differs from an earlier line for that hour', lines: 1, firstLines: [5] }],
    });
    assert.deepEqual(await closes(pair), [11, 11]);
  });

  it('compares every further row for one hour with the one that is kept', async () => {
    const pair = freshPair();
    const report = await importLines(pair, [candle(0), candle(0, 12), candle(0, 12), candle(0)]);
    assert.deepEqual(report, {
      format,
      read: 4,
      stored: 1,
      alreadyThere: 1,
      refused: 2,
      refusals: [{ reason: 'differs from an earlier line for that hour', lines: 2, firstLines: [3, 4] }],
    });
  });

  it('refuses every line that differs from a stored candle, repeats of one too', async () => {
    const pair = freshPair();
    await importLines(pair, [candle(0)]);
    const report = await importLines(pair, [candle(0, 12), candle(0, 12), candle(0, 12)]);
    assert.deepEqual(report, {
      format,
      read: 3,
      stored: 0,
      alreadyThere: 0,
      refused: 3,
      refusals: [{ reason: 'differs from the stored candle of that hour', lines: 3, firstLines: [2, 3, 4] }],
    });
  });

  it('stores a long file that has the newest candle first', async () => {
    const pair = freshPair();
    const candles = randomCandles(21_000, { startMs: Date.UTC(2022, 0, 1) });
    const report = await importLines(pair, csvLines(candles).reverse());
    assert.deepEqual(report, { ...none, read: 21_000, stored: 21_000 });
    assert.deepEqual(await load(pair), candles);
  });

  it('keeps a stored candle and names the line that differs', async () => {
    const pair = freshPair();
    await importLines(pair, [candle(0), candle(1)]);
    const report = await importLines(pair, [candle(2), candle(1, 12), candle(0)]);
    assert.deepEqual(report, {
      format,
      read: 3,
      stored: 1,
      alreadyThere: 1,
      refused: 1,
      refusals: [{ reason: 'differs from the stored candle of that hour', lines: 1, firstLines: [3] }],
    });
    assert.deepEqual(await closes(pair), [11, 11, 11]);
  });

  it('refuses candles that are not over', async () => {
    const pair = freshPair();
    const hour = (nowMs - startMs) / hourMs;
    const report = await importLines(pair, [candle(hour - 1), candle(hour), candle(hour + 9000)]);
    assert.deepEqual(report.refusals, [
      { reason: 'the candle is not over yet', lines: 2, firstLines: [3, 4] },
    ]);
    assert.equal(report.stored, 1);
  });

  it('stores the lines before the cut of a truncated file, and the rest the next time', async () => {
    const pair = freshPair();
    const candles = randomCandles(3_000);
    const whole = gzipSync([header, ...csvLines(candles)].join('\n'));
    const cut = await writeCsv(folder.path, 'cut.csv.gz', whole.subarray(0, whole.length * 0.6));
    const work = new CandleImport(context.storage, pair, () => undefined);
    await assert.rejects(work.run(cut, nowMs), {
      code: 'invalid_file',
      message: `"${cut}" can't be read: unexpected end of file`,
    });
    const { read, stored, refused } = work.report;
    assert.ok(stored > 1_000 && stored < 2_400, `${stored} stored`);
    assert.deepEqual([read, refused], [stored, 0]);
    const before = Array.from({ length: stored }, (_, i) => i);
    assert.deepEqual(await load(pair), pickCandles(candles, before));
    const again = await importFile(pair, await writeCsv(folder.path, 'whole.csv.gz', whole));
    assert.deepEqual(again, { ...none, read: 3_000, stored: 3_000 - stored, alreadyThere: stored });
    assert.deepEqual(await load(pair), candles);
  });

  it('stores nothing and says why when the file cannot be read at all', async () => {
    const pair = freshPair();
    const missing = join(folder.path, 'missing.csv');
    await assert.rejects(importFile(pair, missing), { code: 'invalid_file' });
    await assert.rejects(importFile(pair, folder.path), { code: 'invalid_file' });
    assert.equal(await load(pair), undefined);
  });

  it('reports its progress batch by batch', async () => {
    const pair = freshPair();
    const seen: number[] = [];
    const lines = Array.from({ length: 45_000 }, (_, i) => candle(i % 500));
    const path = await writeCsv(folder.path, 'candles.csv.gz', [header, ...lines]);
    const work = new CandleImport(context.storage, pair, ({ read }) => seen.push(read));
    const report = await work.run(path, nowMs);
    assert.deepEqual(report, { ...none, read: 45_000, stored: 500, alreadyThere: 44_500 });
    assert.deepEqual(seen, [0, 20_000, 40_000, 45_000]);
  });

  it('accounts for every row, and stores the first good one of every hour', async () => {
    const rows = fc.array(fc.oneof(fc.tuple(fc.nat(5), fc.constantFrom(10, 11, 12)), fc.constant(null)), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const pair = freshPair();
        const lines = given.map((row) => (row === null ? 'x' : candle(...row)));
        const { read, stored, alreadyThere, refused, refusals } = await importLines(pair, lines);
        const first = new Map<number, number>();
        let same = 0;
        for (const [hour, close] of given.filter((row) => row !== null)) {
          if (first.get(hour) === close) same++;
          if (!first.has(hour)) first.set(hour, close);
        }
        assert.deepEqual(
          { read, stored, alreadyThere, refused },
          {
            read: given.length,
            stored: first.size,
            alreadyThere: same,
            refused: given.length - first.size - same,
          },
        );
        assert.equal(
          refusals.reduce((sum, { lines: count }) => sum + count, 0),
          refused,
        );
        const expected = [...first].sort(([left], [right]) => left - right).map(([, close]) => close);
        assert.deepEqual(await closes(pair), expected);
      }),
      { numRuns: 12 },
    );
  });
});
