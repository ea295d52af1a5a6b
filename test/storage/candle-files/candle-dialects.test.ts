import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { candleColumns } from '../../../compute/model/candles.js';
import type { CandleRow } from '../../../storage/candles/candle-row.js';
import { readCandleFile, type CandleLine } from '../../../storage/candle-files/read-candle-file.js';
import { writeCsv } from '../../support/candles/candle-files.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import type { GivenFormat } from '../../../storage/candle-files/detect-format.js';

/** How one exchange, data service or program writes 1h candles of BTC/USDT, and what is detected of it. */
interface CandleDialect {
  header?: string;
  /** Lines before the header. */
  before?: string[];
  row: (row: CandleRow) => string;
  detected: string;
  given?: GivenFormat;
}

const iso = (time: number) => new Date(time).toISOString();
const two = (value: number) => String(value).padStart(2, '0');
const parts = (time: number) => {
  const date = new Date(time);
  return { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate(), h: date.getUTCHours() };
};
const day = (time: number) => iso(time).slice(0, 10);
const clock = (time: number) => iso(time).slice(11, 19);
const comma = (value: number) => String(value).replace('.', ',');
const hourMs = 3_600_000;
const turnover = ([, open, , , , volume]: CandleRow) => (open * volume).toFixed(8);

/** Each as its source writes it. */
const candleDialects: Record<string, CandleDialect> = {
  Tidemark: {
    header: 'time,open,high,low,close,volume',
    row: (row) => row.join(),
    detected: 'separated by commas, names in line 1, time in "time" as milliseconds, volume in "volume"',
  },
  'Binance public data': {
    row: (row) => [...row, row[0] + hourMs - 1, turnover(row), 12, '1.5', '2.5', 0].join(),
    detected:
      'separated by commas, no names, 12 columns as in files of Binance, time in column 1 as milliseconds, volume in column 6',
  },
  'Binance public data since 2025': {
    row: ([time, ...rest]) =>
      [
        `${time}000`,
        ...rest,
        `${time + hourMs - 1}999`,
        turnover([time, ...rest]),
        12,
        '1.5',
        '2.5',
        0,
      ].join(),
    detected:
      'separated by commas, no names, 12 columns as in files of Binance, time in column 1 as microseconds, volume in column 6',
  },
  'Binance with names': {
    header:
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
    row: (row) => [...row, row[0] + hourMs - 1, turnover(row), 12, '1.5', '2.5', 0].join(),
    detected: 'separated by commas, names in line 1, time in "open_time" as milliseconds, volume in "volume"',
  },
  Kraken: {
    row: ([time, ...rest]) => [time / 1_000, ...rest, 12].join(),
    detected:
      'separated by commas, no names, 7 columns as in files of Kraken, time in column 1 as seconds, volume in column 6',
  },
  CryptoDataDownload: {
    before: ['https://www.CryptoDataDownload.com'],
    header: 'Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount',
    row: (row) => {
      const [time, open, high, low, close, volume] = row;
      return [
        time,
        `${day(time)} ${clock(time)}`,
        'BTCUSDT',
        open,
        high,
        low,
        close,
        volume,
        turnover(row),
        12,
      ].join();
    },
    detected: 'separated by commas, names in line 2, time in "Unix" as milliseconds, volume in "Volume BTC"',
  },
  'CryptoDataDownload with 12 hours': {
    before: ['https://www.CryptoDataDownload.com'],
    header: 'Date,Symbol,Open,High,Low,Close,Volume USDT,Volume BTC',
    row: (row) => {
      const [time, open, high, low, close, volume] = row;
      const { h } = parts(time);
      const hour = `${two(h % 12 === 0 ? 12 : h % 12)}-${h < 12 ? 'AM' : 'PM'}`;
      return [`${day(time)} ${hour}`, 'BTCUSDT', open, high, low, close, turnover(row), volume].join();
    },
    detected: 'separated by commas, names in line 2, time in "Date" as dates, volume in "Volume BTC"',
  },
  'Yahoo Finance': {
    header: 'Datetime,Open,High,Low,Close,Adj Close,Volume',
    row: ([time, open, high, low, close, volume]) =>
      [`${day(time)} ${clock(time)}+00:00`, open, high, low, close, close, volume].join(),
    detected: 'separated by commas, names in line 1, time in "Datetime" as dates, volume in "Volume"',
  },
  TradingView: {
    header: 'time,open,high,low,close,Volume',
    row: ([time, ...rest]) => [time / 1_000, ...rest].join(),
    detected: 'separated by commas, names in line 1, time in "time" as seconds, volume in "Volume"',
  },
  'TradingView with dates of a zone': {
    header: 'time,open,high,low,close,Volume',
    row: ([time, ...rest]) => [`${iso(time + 5.5 * hourMs).slice(0, 19)}+05:30`, ...rest].join(),
    detected: 'separated by commas, names in line 1, time in "time" as dates, volume in "Volume"',
  },
  Coinbase: {
    header: 'time,low,high,open,close,volume',
    row: ([time, open, high, low, close, volume]) => [time / 1_000, low, high, open, close, volume].join(),
    detected: 'separated by commas, names in line 1, time in "time" as seconds, volume in "volume"',
  },
  'Excel with quotes, semicolons and decimal commas': {
    header: '"Date";"Open";"High";"Low";"Close";"Volume"',
    before: ['sep=;'],
    row: ([time, ...rest]) => {
      const { y, m, d, h } = parts(time);
      return [`${two(d)}.${two(m)}.${y} ${two(h)}:00`, ...rest.map(comma)]
        .map((cell) => `"${cell}"`)
        .join(';');
    },
    detected:
      'separated by semicolons, names in line 2, time in "Date" as dates, day first, volume in "Volume", decimal commas',
  },
  'American dates': {
    header: 'Timestamp,Open,High,Low,Close,Volume',
    row: ([time, ...rest]) => {
      const { y, m, d, h } = parts(time);
      return [`${m}/${d}/${y} ${h % 12 === 0 ? 12 : h % 12}:00:00 ${h < 12 ? 'AM' : 'PM'}`, ...rest].join();
    },
    detected:
      'separated by commas, names in line 1, time in "Timestamp" as dates, month first, volume in "Volume"',
  },
  Dukascopy: {
    header: 'Gmt time,Open,High,Low,Close,Volume',
    row: ([time, ...rest]) => {
      const { y, m, d } = parts(time);
      return [`${two(d)}.${two(m)}.${y} ${clock(time)}.000`, ...rest].join();
    },
    detected:
      'separated by commas, names in line 1, time in "Gmt time" as dates, day first, volume in "Volume"',
  },
  MetaTrader: {
    header: [
      '<DATE>',
      '<TIME>',
      '<OPEN>',
      '<HIGH>',
      '<LOW>',
      '<CLOSE>',
      '<TICKVOL>',
      '<VOL>',
      '<SPREAD>',
    ].join('\t'),
    row: ([time, open, high, low, close, volume]) =>
      [day(time).replaceAll('-', '.'), clock(time), open, high, low, close, 12, volume, 1].join('\t'),
    detected: 'separated by tabs, names in line 1, time in "<DATE>" as dates, volume in "<VOL>"',
  },
  'pandas with nanoseconds': {
    header: ',timestamp,open,high,low,close,volume',
    row: ([time, ...rest]) => ['0', `${time}000000`, ...rest].join(),
    detected: 'separated by commas, names in line 1, time in "timestamp" as nanoseconds, volume in "volume"',
  },
  'names of months': {
    header: 'date|o|h|l|c|v',
    row: ([time, ...rest]) => {
      const name = new Date(time).toLocaleString('en', { month: 'short', timeZone: 'UTC' });
      const { y, d, h } = parts(time);
      return [`${two(d)}-${name}-${y} ${two(h)}:00`, ...rest].join('|');
    },
    detected: 'separated by bars, names in line 1, time in "date" as dates, volume in "v"',
  },
  'columns as given': {
    given: { columns: ['-', 'close', 'low', 'high', 'open', 'volume', 'time'], timeUnit: 's' },
    row: ([time, open, high, low, close, volume]) =>
      ['BTC', close, low, high, open, volume, time / 1_000].join(),
    detected: 'separated by commas, columns as given, time in column 7 as seconds, volume in column 6',
  },
};

const nowMs = Date.UTC(2026, 0, 1);

function rowsOf(seed: number, startMs: number, count: number): CandleRow[] {
  const candles = randomCandles(count, { seed, startMs });
  return Array.from(
    candles.time,
    (_, i) => candleColumns.map((column) => candles[column][i]) as unknown as CandleRow,
  );
}

interface Shape {
  end: string;
  mark: string;
  isNewestFirst: boolean;
  encoding: 'utf8' | 'utf16le';
  isGzipped: boolean;
}

describe('readCandleFile with the files of exchanges and programs', () => {
  const folder = temporaryFolder();

  async function readBack(
    { before = [], header, row, given }: CandleDialect,
    rows: CandleRow[],
    shape: Shape,
  ) {
    const lines = [...before, ...(header === undefined ? [] : [header]), ...rows.map(row)];
    const text = Buffer.from(
      (shape.encoding === 'utf8' ? shape.mark : '\uFEFF') + lines.join(shape.end),
      shape.encoding,
    );
    const path = await writeCsv(folder.path, 'candles.csv', shape.isGzipped ? gzipSync(text) : text);
    const found: CandleLine[] = [];
    let detected = '';
    const onDetected = (words: string) => (detected = words);
    for await (const line of readCandleFile(path, { nowMs, base: 'BTC', ...given, onDetected }))
      found.push(line);
    return { found, detected, firstLine: lines.length - rows.length + 1 };
  }

  const shapes = fc.record({
    end: fc.constantFrom('\n', '\r\n', '\r'),
    mark: fc.constantFrom('', '\uFEFF'),
    isNewestFirst: fc.boolean(),
    encoding: fc.constantFrom<Shape['encoding']>('utf8', 'utf8', 'utf16le'),
    isGzipped: fc.boolean(),
  });

  for (const [name, dialect] of Object.entries(candleDialects)) {
    it(`reads every candle of ${name} to the last bit`, async () => {
      const seeds = fc.integer();
      const start = fc.integer({ min: 440_000, max: 480_000 }).map((hour) => hour * 3_600_000);
      await fc.assert(
        fc.asyncProperty(seeds, start, shapes, async (seed, startMs, shape) => {
          const rows = rowsOf(seed, startMs, 400);
          if (shape.isNewestFirst) rows.reverse();
          const { found, detected, firstLine } = await readBack(dialect, rows, shape);
          assert.equal(detected, dialect.detected);
          assert.deepEqual(
            found,
            rows.map((row, i) => ({ line: firstLine + i, row })),
          );
        }),
        // Each shape comes with many of them.
        { numRuns: 5 },
      );
    });
  }

  const plain: Shape = { end: '\n', mark: '', isNewestFirst: false, encoding: 'utf8', isGzipped: false };
  const early = rowsOf(1, Date.UTC(2024, 0, 1), 48);

  const unclear: [
    title: string,
    dialect: Omit<CandleDialect, 'detected'>,
    why: RegExp,
    given: CandleDialect['given'],
  ][] = [
    [
      'dates whose day and month may be swapped',
      {
        header: 'date,open,high,low,close,volume',
        row: ([time, ...rest]) =>
          [`0${new Date(time).getUTCDate()}/01/2024 ${new Date(time).getUTCHours()}:00`, ...rest].join(),
      },
      /"01\/01\/2024 0:00" may have the day or the month first; say which by --date-order$/,
      { dateOrder: 'day-first' },
    ],
    [
      'commas that may separate thousands',
      {
        header: 'time;open;high;low;close;volume',
        row: ([time]) => [time, '1,500', '2,000', '1,000', '1,250', '5'].join(';'),
      },
      /"1,500" may be a fraction or thousands; say what its comma is by --decimal-mark$/,
      { decimalMark: 'comma' },
    ],
    [
      'a unit of time that no year since 2001 fits',
      {
        header: 'time,open,high,low,close,volume',
        row: ([time, ...rest]) => [(time - early[0][0]) / 1_000, ...rest].join(),
      },
      /"0" is not a time since 2001 in seconds, .*; name the unit by --time-unit$/,
      { timeUnit: 's' },
    ],
    [
      'columns without names that are in another order',
      { row: ([time, open, high, low, close, volume]) => [time, open, close, high, low, volume].join() },
      /it has no names of columns, and the values do not fit the order .*; say what each holds by --columns$/,
      { columns: ['time', 'open', 'close', 'high', 'low', 'volume'] },
    ],
    [
      'columns without names whose values fit any order',
      { row: ([time]) => [time, 10, 10, 10, 10, 5].join() },
      /it has no names of columns, and the values fit several orders .*; say what each holds by --columns$/,
      { columns: ['time', 'open', 'high', 'low', 'close', 'volume'] },
    ],
    [
      'columns without names of an unknown number',
      { row: (row) => [...row, 1, 2, 3].join() },
      /it has 9 columns without names; say what each holds by --columns$/,
      { columns: ['time', 'open', 'high', 'low', 'close', 'volume', '-', '-', '-'] },
    ],
    [
      'columns with names in another language',
      { header: 'Zeit;Anfang;Hoch;Tief;Ende;Menge', row: (row) => row.join(';') },
      /line 1 names no column "time", .*, found "Zeit,Anfang,Hoch,Tief,Ende,Menge"; say what each column holds by --columns$/,
      { columns: ['time', 'open', 'high', 'low', 'close', 'volume'] },
    ],
  ];
  for (const [title, dialect, why, given] of unclear) {
    it(`names the option for ${title}, and reads them with it`, async () => {
      await assert.rejects(readBack({ ...dialect, detected: '' }, early, plain), {
        code: 'invalid_file',
        message: why,
      });
      const { found } = await readBack({ ...dialect, detected: '', given: given! }, early, plain);
      assert.equal(found.length, early.length);
      if (!given!.timeUnit) assert.ok(found.every((line) => 'row' in line));
    });
  }

  it('refuses dates that have the day first in one line and the month in another', async () => {
    const dialect = {
      header: 'date,open,high,low,close,volume',
      row: ([time, ...rest]: CandleRow) =>
        [time === early[0][0] ? '13/01/2024' : '01/13/2024', ...rest].join(),
    };
    await assert.rejects(readBack({ ...dialect, detected: '' }, early, plain), {
      message: /"13\/01\/2024" has the day first and "01\/13\/2024" the month$/,
    });
  });

  it('takes times of several units in one file, each by its size', async () => {
    const dialect = candleDialects.Tidemark;
    const row = ([time, ...rest]: CandleRow) =>
      [time % 7_200_000 === 0 ? time / 1_000 : `${time}000`, ...rest].join();
    const { found, detected } = await readBack({ ...dialect, row }, early, plain);
    assert.match(detected, /time in "time" as seconds and microseconds/);
    assert.deepEqual(
      found.map((line) => 'row' in line && line.row),
      early,
    );
  });

  it('takes no other time for an hour: minutes, days and parts of a microsecond', async () => {
    const dialect = candleDialects.Tidemark;
    for (const [stepMs, words, hint] of [
      [60_000, '1 minute', 'from which 4h and 1d are made'],
      [900_000, '15 minutes', 'or --interval 15m'],
      [86_400_000, '1 day', 'from which 4h and 1d are made'],
    ] as const) {
      const rows = early.map(([, ...rest], i): CandleRow => [early[0][0] + i * stepMs, ...rest]);
      await assert.rejects(readBack(dialect, rows, plain), {
        message: new RegExp(`its candles are ${words} apart; expected candles of 1h, ${hint}$`),
      });
    }
    const late = candleDialects['pandas with nanoseconds'];
    const row = ([time, ...rest]: CandleRow) =>
      ['0', `${time}00000${time === early[3][0] ? 1 : 0}`, ...rest].join();
    const { found } = await readBack({ ...late, row }, early, plain);
    assert.deepEqual(
      found.filter((line) => 'refused' in line).map(({ line }) => line),
      [5],
    );
  });

  it('takes gaps in candles of 1h', async () => {
    const { found } = await readBack(
      candleDialects.Tidemark,
      early.filter((_, i) => i % 5 < 3),
      plain,
    );
    assert.equal(found.length, 30);
  });
});
