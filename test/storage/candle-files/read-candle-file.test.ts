import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { candleColumns } from '../../../compute/model/candles.js';
import { hasProcFolder } from '../../../storage/embedded/orphans.js';
import type { GivenFormat } from '../../../storage/candle-files/detect-format.js';
import { readCandleFile, type CandleLine } from '../../../storage/candle-files/read-candle-file.js';
import type { CandleRow } from '../../../storage/candles/candle-row.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { describeWithSharedData, sharedPath, sharedRows } from '../../support/candles/shared-data.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { hourMs } from '../candles/candle-parts.js';
import { csvLines, header, writeCsv } from '../../support/candles/candle-files.js';
import { skip } from '../../support/harness/skip.js';

const nowMs = Date.UTC(2024, 6, 1);
const noTime = 'time is neither a date nor a number of a known unit';
const time = Date.UTC(2024, 0, 1);
const good = `${time},10,12,9,11,5`;
const row: CandleRow = [time, 10, 12, 9, 11, 5];

async function readAll(path: string, given: GivenFormat = {}): Promise<CandleLine[]> {
  const lines: CandleLine[] = [];
  for await (const line of readCandleFile(path, { nowMs, ...given })) lines.push(line);
  return lines;
}

describe('readCandleFile', () => {
  const folder = temporaryFolder();
  const read = async (content: string[] | Buffer, name = 'candles.csv') =>
    readAll(await writeCsv(folder.path, name, content));
  const readText = (text: string) => read(Buffer.from(text));

  it('reads plain and gzipped files, whatever their name says', async () => {
    const lines = [header, ...csvLines(randomCandles(50))];
    const plain = await read(lines);
    assert.equal(plain.length, 50);
    assert.deepEqual(await read(lines, 'candles.csv.gz'), plain);
    const misnamed = gzipSync(lines.map((line) => `${line}\n`).join(''));
    assert.deepEqual(await read(misnamed, 'candles.csv'), plain);
  });

  it('reads a gzipped file of several members, as `cat a.gz b.gz` makes it', async () => {
    const members = [`${header}\n${good}\n`, `${time + hourMs},10,12,9,11,5\n`].map((text) => gzipSync(text));
    assert.deepEqual(await read(Buffer.concat(members)), [
      { line: 2, row },
      { line: 3, row: [time + hourMs, 10, 12, 9, 11, 5] },
    ]);
  });

  it('gives numbers as they are written, to the last bit', async () => {
    const text = `${time},1.0000000000000002,1.2e1,+.5,7.,0.1`;
    assert.deepEqual(await readText(`${header}\n${text}`), [
      { line: 2, row: [time, 1.0000000000000002, 12, 0.5, 7, 0.1] },
    ]);
  });

  const forms: Record<string, string> = {
    'lines that end in CR LF': `${header}\r\n${good}\r\n`,
    'a byte order mark': `\uFEFF${header}\n${good}\n`,
    'a last line without an end': `${header}\n${good}`,
    'blank lines at the end': `${header}\n${good}\n\n  \n\r\n`,
    'names in upper case and spaces around cells': ` Time, OPEN,High ,low,Close,VOLUME\n ${time} , 10,12 ,9,11,5 \n`,
    'columns in another order': `volume,close,low,high,open,time\n5,11,9,12,10,${time}\n`,
    'more columns': `symbol,time,open,high,low,close,volume,trades\nBTC,${time},10,12,9,11,5,x\n`,
    'quoted cells': `"time","open","high","low","close","volume"\n"${time}","10",12,9,"11"," 5 "\n`,
    'more cells than columns': `${header}\n${good},1,2,3\n`,
  };
  for (const [title, text] of Object.entries(forms)) {
    it(`takes ${title}`, async () => {
      assert.deepEqual(await readText(text), [{ line: 2, row }]);
    });
  }

  it('counts lines as an editor does, header and blank lines included', async () => {
    assert.deepEqual(await readText(`${header}\n\n${good}\n\nx\n`), [
      { line: 3, row },
      { line: 5, refused: noTime },
    ]);
  });

  it('counts the lines of quoted cells that contain line breaks', async () => {
    const text = `${header},note\n${good},"two\r\nlines"\n${good},"a ""b"", c"\nx\n`;
    assert.deepEqual(await readText(text), [
      { line: 2, row },
      { line: 4, row },
      { line: 5, refused: noTime },
    ]);
  });

  it('gives the lines before a quote that is never closed, then says so', async () => {
    const long = csvLines(randomCandles(2_000, { startMs: Date.UTC(2023, 0, 1) }));
    for (const after of [[], long]) {
      const path = await writeCsv(folder.path, 'open.csv', [header, good, `"${good}`, ...after]);
      const lines: CandleLine[] = [];
      const reading = (async () => {
        for await (const line of readCandleFile(path, { nowMs })) lines.push(line);
      })();
      const message = `"${path}" can't be read: a quote is opened in line 3 and not closed`;
      await assert.rejects(reading, { code: 'invalid_file', message });
      assert.deepEqual(lines, [{ line: 2, row }]);
    }
  });

  const refusals: [cells: string, reason: string][] = [
    ['x,10,12,9,11,5', noTime],
    ['2024-01-32T00:00:00Z,10,12,9,11,5', noTime],
    ['1234,10,12,9,11,5', noTime],
    [`${time},,12,9,11,5`, 'open is not a number'],
    [`${time},10,0x10,9,11,5`, 'high is not a number'],
    [`${time},10,12,9_0,11,5`, 'low is not a number'],
    [`${time},10,12,9,NaN,5`, 'close is not a number'],
    [`${time},10,12,9,11,Infinity`, 'volume is not a number'],
    [`${time},10,12,9,11,1e400`, 'volume is not a number'],
    [`${time},10,12,9,11,null`, 'volume is not a number'],
    [`${time},10,12,9,11,5"`, 'volume is not a number'],
    [`${time},10,12,9,11,"5 5"`, 'volume is not a number'],
    [`${time},10,12,9,11,5 5`, 'volume is not a number'],
    [`${time},10,12,9,11,.`, 'volume is not a number'],
    [`${time},10,12,9,11,1e`, 'volume is not a number'],
    [`${time},10,12,9,11,٣`, 'volume is not a number'],
    [`${time},10,12,9,11`, 'volume is not a number'],
    [`${time}`, 'open is not a number'],
    [header, noTime],
    [`${time}.5,10,12,9,11,5`, 'time is not a whole number of milliseconds'],
    [`-${time},10,12,9,11,5`, 'time is not a whole number of milliseconds'],
    ['0,10,12,9,11,5', noTime],
    [`${time + 1},10,12,9,11,5`, 'time is not the start of an hour'],
    [`${nowMs},10,12,9,11,5`, 'the candle is not over yet'],
    [`${time},0,12,9,11,5`, 'a price is not above 0'],
    [`${time},10,12,-9,11,5`, 'a price is not above 0'],
    [`${time},10,12,1e-400,11,5`, 'a price is not above 0'],
    [`${time},10,12,1e-101,11,5`, 'a price is below 1e-100'],
    [`${time},10,1.7e308,9,11,5`, 'a value is above 1e+100'],
    [`${time},10,12,9,11,1.7e308`, 'a value is above 1e+100'],
    [`${time},10,10.5,9,11,5`, 'high is below another price'],
    [`${time},10,8,9,8,5`, 'high is below another price'],
    [`${time},10,12,10.5,11,5`, 'low is above another price'],
    [`${time},10,12,9,11,-0.001`, 'volume is below 0'],
  ];
  it('refuses each line that is no valid candle, with a reason', async () => {
    const lines = await read([header, ...refusals.map(([cells]) => cells), good]);
    const expected = refusals.map(([, refused], i): CandleLine => ({ line: i + 2, refused }));
    assert.deepEqual(lines, [...expected, { line: refusals.length + 2, row }]);
  });

  it('accepts the last closed hour, flat candles and volume 0', async () => {
    const flat = [nowMs - hourMs, 1e-6, 1e-6, 1e-6, 1e-6, 0];
    assert.deepEqual(await read([header, flat.join()]), [{ line: 2, row: flat }]);
  });

  const headers: Record<string, [text: string, why: string]> = {
    'a column that is missing': [
      'time,open,high,low,close\n',
      'line 1 names no column "volume", found "time,open,high,low,close"; say what each column holds by --columns',
    ],
    'an endless first line': [
      'x'.repeat(100),
      `line 1 names no column "time", "open", "high", "low", "close", "volume", found "${'x'.repeat(80)}…"; say what each column holds by --columns`,
    ],
    'a volume in quote currency': [
      'time;open;high;low;close;Volume USDT\n',
      'line 1 names no column "volume", found "time,open,high,low,close,Volume USDT"; say what each column holds by --columns',
    ],
    'two columns of one name': [
      `${header},Open\n${good},10\n`,
      'two columns are named "open"; say which is which by --columns',
    ],
    'remarks alone': ['# nothing\n\n', 'it holds no line of data'],
  };
  for (const [title, [text, why]] of Object.entries(headers)) {
    it(`refuses ${title}`, async () => {
      const message = `"${join(folder.path, 'candles.csv')}" can't be read: ${why}`;
      await assert.rejects(readText(text), { code: 'invalid_file', message });
    });
  }

  it('refuses an empty file, gzipped or not', async () => {
    const empty = (path: string) => ({ code: 'invalid_file', message: `"${path}" is empty` });
    await assert.rejects(read([]), empty(join(folder.path, 'candles.csv')));
    await assert.rejects(read([], 'a.csv.gz'), empty(join(folder.path, 'a.csv.gz')));
  });

  it('yields no lines for a file with only a header', async () => {
    assert.deepEqual(await read([header]), []);
  });

  it('names a path that is missing and one that is a folder', async () => {
    const missing = join(folder.path, 'missing.csv');
    await assert.rejects(readAll(missing), {
      code: 'invalid_file',
      message: `"${missing}" can't be read: ENOENT: no such file or directory, open '${missing}'`,
    });
    const directory = join(folder.path, 'directory');
    await mkdir(directory);
    await assert.rejects(readAll(directory), {
      code: 'invalid_file',
      message: `"${directory}" can't be read: EISDIR: illegal operation on a directory, read`,
    });
  });

  it('leaves no file open', async function () {
    if (!hasProcFolder) return skip(this, 'no /proc/self/fd, which lists open files: Linux has it');
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const path = await writeCsv(folder.path, 'candles.csv.gz', [header, good]);
    const unknown = await writeCsv(folder.path, 'unknown.csv', Array<string>(100_000).fill('a,b,c'));
    const before = openFiles();
    for (let i = 0; i < 5; i++) {
      await readAll(path);
      await assert.rejects(readAll(unknown), { code: 'invalid_file', message: /names no column/ });
      await assert.rejects(readAll(folder.path), { code: 'invalid_file' });
    }
    assert.ok(openFiles() < before + 5, `${openFiles() - before} files are left open`);
  });

  it('gives every whole line of a file that is cut off, then says so', async () => {
    const whole = gzipSync([header, ...csvLines(randomCandles(2_000))].join('\n'));
    for (const share of [0.3, 0.9]) {
      const path = await writeCsv(folder.path, 'cut.csv.gz', whole.subarray(0, whole.length * share));
      const lines: CandleLine[] = [];
      const reading = (async () => {
        for await (const line of readCandleFile(path, { nowMs })) lines.push(line);
      })();
      await assert.rejects(reading, {
        code: 'invalid_file',
        message: `"${path}" can't be read: unexpected end of file`,
      });
      const all = await read(whole, 'whole.csv.gz');
      assert.ok(lines.length > 2_000 * share - 500 && lines.length < 2_000 * share + 500, `${lines.length}`);
      assert.deepEqual(lines, all.slice(0, lines.length));
    }
  });

  it('takes little memory for a large file', async () => {
    const hours = csvLines(randomCandles(500));
    const lines = Array.from({ length: 800 }, () => hours).flat();
    const path = await writeCsv(folder.path, 'large.csv.gz', [header, ...lines]);
    // The text takes 36 MB, and its rows as arrays of numbers take more.
    const thread = new Worker(new URL('./count-candles-main.js', import.meta.url), {
      workerData: path,
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    });
    assert.deepEqual(await once(thread, 'message'), [400_000]);
  });

  it('says when gzipped bytes are damaged', async () => {
    const bytes = gzipSync([header, ...csvLines(randomCandles(200))].join('\n'));
    bytes.fill(0xff, 40, 60);
    await assert.rejects(read(bytes), { code: 'invalid_file', message: /can't be read: / });
  });

  it('reads back every candle that is written, whatever the order of columns and the end of lines', async () => {
    const layout = fc.record({
      seed: fc.integer(),
      columns: fc.shuffledSubarray([...candleColumns, 'other'], { minLength: 7 }),
      end: fc.constantFrom('\n', '\r\n'),
      mark: fc.constantFrom('', '\uFEFF'),
      gzipped: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(layout, async ({ seed, columns, end, mark, gzipped }) => {
        const candles = randomCandles(20, { seed });
        const rows = Array.from(candles.time, (_, i) => candleColumns.map((column) => candles[column][i]));
        const cells = rows.map((values) =>
          columns
            .map((column) => (column === 'other' ? 'x' : values[candleColumns.indexOf(column as never)]))
            .join(),
        );
        const text = Buffer.from(mark + [columns.join(), ...cells].join(end));
        const found = await read(gzipped ? gzipSync(text) : text);
        assert.deepEqual(
          found,
          rows.map((values, i) => ({ line: i + 2, row: values })),
        );
      }),
      { numRuns: 30 },
    );
  });
});

describeWithSharedData('readCandleFile with the dirty files', () => {
  const folder = temporaryFolder();
  const dirty = (name: string) => sharedPath(`dirty/skender_${name}.csv.gz`);
  const faults: Record<string, string> = {
    bad: 'its candles are 1 day apart; expected candles of 1h, from which 4h and 1d are made',
    penny: 'its candles are 1 day apart; expected candles of 1h, from which 4h and 1d are made',
    toobig: 'its candles are 1 day apart; expected candles of 1h, from which 4h and 1d are made',
  };
  for (const [name, why] of Object.entries(faults)) {
    it(`says why skender_${name} is no file of 1h candles`, async () => {
      await assert.rejects(readAll(dirty(name)), {
        code: 'invalid_file',
        message: `"${dirty(name)}" can't be read: ${why}`,
      });
    });
  }

  it('refuses every line of skender_zeros, whose years have two digits', async () => {
    const lines = await readAll(dirty('zeros'));
    assert.deepEqual(
      lines,
      sharedRows('dirty/skender_zeros.csv.gz').map((_, i) => ({ line: i + 2, refused: noTime })),
    );
  });

  it('refuses every line that is faulty, and only those, where the hours are right', async () => {
    const rows = sharedRows('dirty/skender_bad.csv.gz');
    const lines = rows.map(([, ...cells], hour) => [time + hour * hourMs, ...cells].join());
    const read = await readAll(await writeCsv(folder.path, 'hours.csv', [header, ...lines]));
    const isGood = ([, ...cells]: string[]) => {
      const [open, high, low, close, volume] = cells.map((cell) => (cell === '' ? NaN : Number(cell)));
      return (
        low > 0 &&
        low <= Math.min(open, close) &&
        high >= Math.max(open, close) &&
        volume >= 0 &&
        cells.length === 5
      );
    };
    assert.deepEqual(
      read.map((line) => 'row' in line),
      rows.map(isGood),
    );
  });
});
