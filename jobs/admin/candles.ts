import { resolve } from 'node:path';
import Joi from 'joi';
import { candleColumns } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import type { Series } from '../../storage/candles/series.js';
import { decimalMarks } from '../../storage/candle-files/candle-number.js';
import { dateOrders, timeUnits } from '../../storage/candle-files/candle-time.js';
import { CandleImport, type ImportReport, type ImportRefusal } from '../market/candle-import.js';
import { optional, readBy, required, type OptionReader } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { tableOf } from './cli/table-of.js';

const shownGaps = 10;

interface PairOption {
  base: string;
  quote: string;
}

const readPair: OptionReader<PairOption> = (given) => {
  const [, base, quote] = /^([A-Z0-9]{1,20})\/([A-Z0-9]{1,20})$/.exec(given) ?? [];
  if (base !== undefined && quote !== undefined) return { base, quote };
  throw new AppError(
    'invalid_command',
    `--pair must be two symbols in upper case, as in BTC/USDT, found "${given}"`,
  );
};

const readInterval: OptionReader<'1h'> = (given) => {
  if (given === '1h') return given;
  const message = `--interval must be 1h (4h and 1d candles are made from those of 1h), found "${given}"`;
  throw new AppError('invalid_command', message);
};

/** Each of the six columns once, in any order, and `-` for others. */
const readColumns: OptionReader<string[]> = (given) => {
  const columns = given.split(',').map((name) => name.trim().toLowerCase());
  const isEachOnce = candleColumns.every((name) => columns.filter((each) => each === name).length === 1);
  const unknown = columns.filter((name) => name !== '-' && !candleColumns.some((each) => each === name));
  if (isEachOnce && unknown.length === 0) return columns;
  const message = `--columns must be each of ${candleColumns.join()} once, in the order of the file, and - for any other column, found "${given}"`;
  throw new AppError('invalid_command', message);
};

const delimiterWords: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', bar: '|' };

const readDelimiter: OptionReader<string> = (given) => {
  const delimiter = delimiterWords[given] ?? given;
  if (Object.values(delimiterWords).includes(delimiter)) return delimiter;
  const message = `--delimiter must be comma, semicolon, tab or bar, found "${given}"`;
  throw new AppError('invalid_command', message);
};

const oneOf = <T extends string>(words: readonly T[]) => readBy(Joi.string<T>().valid(...words));

const importFile = defineCommand({
  name: 'import',
  summary: 'Store the 1h candles of a CSV file, gzipped or not',
  details: `Names and order of the columns, delimiter and unit of time are detected: exports of exchanges and data services
can be imported as they are. Where a file can be read in two ways, the error names the option to give.
Candles that are stored already stay as they are. Start the service with MARKET=csv to serve them.`,
  options: {
    pair: required({ value: 'base/quote', meaning: 'pair, as in BTC/USDT', read: readPair }),
    interval: {
      value: 'interval',
      meaning: 'length of a candle; 4h and 1d are made from 1h',
      required: false,
      default: '1h',
      read: readInterval,
    },
    file: required({ value: 'file', meaning: 'the CSV file' }),
    columns: optional({
      value: 'names',
      meaning: 'what each column holds, as in time,open,high,low,close,-,volume',
      read: readColumns,
    }),
    delimiter: optional({ value: 'name', meaning: 'comma, semicolon, tab or bar', read: readDelimiter }),
    timeUnit: optional({
      value: 'unit',
      meaning: `unit of times: ${timeUnits.join(', ')}`,
      read: oneOf(timeUnits),
    }),
    dateOrder: optional({
      value: 'order',
      meaning: `dates such as 03/04/2024: ${dateOrders.join(' or ')}`,
      read: oneOf(dateOrders),
    }),
    decimalMark: optional({
      value: 'mark',
      meaning: `mark before decimals: ${decimalMarks.join(' or ')}`,
      read: oneOf(decimalMarks),
    }),
  },
  examples: [
    'npm run admin -- candles import --pair BTC/USDT --file BTC_USDT-1h.csv.gz',
    'npm run admin -- candles import --pair BTC/USD --file export.csv --delimiter semicolon --time-unit s',
  ],
  async run({ pair: { base, quote }, interval, file, ...given }, { storage, settings, report }) {
    const pair = `${base}/${quote}`;
    const work = new CandleImport(storage, { market: 'csv', base, quote }, ({ format, read, stored }) =>
      report(read === 0 ? `${pair}: detected: ${format}` : `${pair}: ${read} rows read, ${stored} stored`),
    );
    const imported = await work.run(resolve(file), Date.now(), given).catch((error: unknown) => {
      throw withProgress(error, work.report);
    });
    if (imported.stored + imported.alreadyThere === 0) throw nothingImported(file, imported);
    const series = await work.series();
    const hint =
      settings.MARKET === 'csv' ? [] : [`set MARKET=csv to serve them (it is "${settings.MARKET}")`];
    return {
      data: { pair, interval, ...imported, ...gapsOf(series), ...rangeOf(series) },
      lines: [...describeImport(pair, imported), ...describeSeries(series), ...hint],
    };
  },
});

/** The error of an import that ended early, with what was stored before. */
function withProgress(error: unknown, { read, stored }: ImportReport): unknown {
  if (!(error instanceof AppError)) return error;
  return new AppError(error.code, `${error.message} (${read} rows read, ${stored} stored before that)`);
}

function nothingImported(file: string, { read, refusals }: ImportReport): AppError {
  const why = [`${read} rows read`, ...refusals.map(describeRefusal)].join('; ');
  return new AppError('invalid_file', `nothing of "${file}" was imported: ${why}`);
}

const describeRefusal = ({ reason, lines, firstLines }: ImportRefusal) =>
  `refused ${lines}: ${reason} (line ${firstLines.join(', ')}${lines > firstLines.length ? ', …' : ''})`;

const iso = (timeMs: number) => new Date(timeMs).toISOString();

const gapsOf = (series: Series | null) => ({
  missing: series?.missing ?? 0,
  gaps: (series?.gaps ?? []).map(({ after, next, missing }) => ({
    after: iso(after),
    next: iso(next),
    missing,
  })),
});

const rangeOf = (series: Series | null) =>
  series ? { first: iso(series.first), last: iso(series.last), count: series.count } : {};

const describeImport = (pair: string, { read, stored, alreadyThere, refused, refusals }: ImportReport) => [
  `${pair} 1h: ${read} rows read, ${stored} stored, ${alreadyThere} already there, ${refused} refused`,
  ...refusals.map((refusal) => `  ${describeRefusal(refusal)}`),
];

function describeSeries(series: Series | null): string[] {
  if (!series) return [];
  const gaps = series.gaps.slice(0, shownGaps);
  const more = series.gaps.length - gaps.length;
  return [
    `stored now: ${series.count} candles from ${iso(series.first)} to ${iso(series.last)}, ${series.missing} missing in ${series.gaps.length} gaps`,
    ...gaps.map(({ after, next, missing }) => `  gap of ${missing} between ${iso(after)} and ${iso(next)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

const titles = ['market', 'pair', 'interval', 'count', 'first', 'last', 'missing', 'gaps'] as const;

const status = defineCommand({
  name: 'status',
  summary: 'List the stored candles of every market, with what is missing',
  options: {},
  examples: ['npm run admin -- candles status'],
  async run(_values, { storage }) {
    const data = (await storage.series.list()).map(describeStored);
    const rows = data.map((row) => titles.map((title) => String(row[title])));
    return { data, lines: data.length === 0 ? ['no candles are stored'] : tableOf(titles, rows) };
  },
});

const describeStored = ({ market, base, quote, interval, count, first, last, missing, gaps }: Series) => ({
  market,
  pair: `${base}/${quote}`,
  interval,
  count,
  first: iso(first),
  last: iso(last),
  missing,
  gaps: gaps.length,
});

/** Candles: importing files, and what is stored. */
export const candlesCommand = defineNoun('candles', {
  summary: 'Candles in storage',
  examples: [
    'npm run admin -- candles import --pair BTC/USDT --file BTC_USDT-1h.csv.gz',
    'npm run admin -- candles status',
  ],
  commands: [importFile, status],
});
