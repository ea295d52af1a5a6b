import { resolve } from 'node:path';
import Joi from 'joi';
import { candleColumns } from '../../compute/model/candles.js';
import { sourceIntervals, type ResearchInterval, type SourceInterval } from '../../compute/model/interval.js';
import { AppError } from '../../compute/model/errors.js';
import type { ReplacedCandles } from '../../storage/candles/merge-candles.js';
import type { Series } from '../../storage/candles/series.js';
import type { GivenFormat } from '../../storage/candle-files/detect-format.js';
import { findCandleFiles, type CandleFile } from '../../storage/candle-files/find-candle-files.js';
import { decimalMarks } from '../../storage/candle-files/candle-number.js';
import { dateOrders, timeUnits } from '../../storage/candle-files/candle-time.js';
import {
  CandleImport,
  type ImportReport,
  type ImportRefusal,
  type OnImport,
} from '../market/candle-import.js';
import { optional, readBy, required, type OptionReader, wrongOption } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import type { CommandContext } from './cli/with-servers.js';
import { listResult } from './cli/table-of.js';

const shownGaps = 10;

interface PairOption {
  base: string;
  quote: string;
}

const readPair: OptionReader<PairOption> = (given) => {
  const [, base, quote] = /^([A-Z0-9]{1,20})\/([A-Z0-9]{1,20})$/.exec(given) ?? [];
  if (base !== undefined && quote !== undefined) return { base, quote };
  throw wrongOption('pair', 'two symbols in upper case, as in BTC/USDT', given);
};

const readInterval: OptionReader<SourceInterval> = (given) => {
  const interval = sourceIntervals.find((each) => each === given);
  if (interval !== undefined) return interval;
  throw wrongOption('interval', '5m, 15m or 1h (4h and 1d candles are made from those of 1h)', given);
};

/** Each of the six columns once, in any order, and `-` for others. */
const readColumns: OptionReader<string[]> = (given) => {
  const columns = given.split(',').map((name) => name.trim().toLowerCase());
  const isEachOnce = candleColumns.every((name) => columns.filter((each) => each === name).length === 1);
  const unknown = columns.filter((name) => name !== '-' && !candleColumns.some((each) => each === name));
  if (isEachOnce && unknown.length === 0) return columns;
  const order = 'once, in the order of the file, and - for any other column';
  throw wrongOption('columns', `each of ${candleColumns.join()} ${order}`, given);
};

const delimiterWords: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', bar: '|' };

const readDelimiter: OptionReader<string> = (given) => {
  const delimiter = delimiterWords[given] ?? given;
  if (Object.values(delimiterWords).includes(delimiter)) return delimiter;
  throw wrongOption('delimiter', 'comma, semicolon, tab or bar', given);
};

const oneOf = <T extends string>(words: readonly T[]) => readBy(Joi.string<T>().valid(...words));

const importFile = defineCommand({
  name: 'import',
  summary: 'Store the candles of a file, or of all files of a folder',
  details: `CSV (plain, gzipped, or in the zip archives of Binance), and JSON and feather files of freqtrade. Names and order of
the columns, delimiter and unit of time are detected: exports of exchanges and data services can be imported as they are.
Where a file can be read in two ways, the error names the option to give. Pair and interval are read from names such as
BTC_USDT-1h.json, BTC_USDT-5m.feather and BTCUSDT-1h-2024-01.zip; of a folder, files with such names are imported.
Candles of 5m fill 15m and 1h, and those of 15m fill 1h, until candles of that interval are imported.
Candles that are stored already stay as they are. Start the service with MARKET=csv to serve them.`,
  options: {
    pair: optional({
      value: 'base/quote',
      meaning: 'pair, as in BTC/USDT, if the name of the file does not say it',
      read: readPair,
    }),
    interval: optional({
      value: 'interval',
      meaning: 'length of a candle: 5m, 15m or 1h; by default that of the name of the file, else 1h',
      read: readInterval,
    }),
    file: required({ value: 'file', meaning: 'the file, or a folder' }),
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
    'npm run admin -- candles import --file user_data/data/binance',
  ],
  async run({ pair, interval, file, ...given }, { storage, settings, report }) {
    const files = await findCandleFiles(resolve(file), { pair, interval });
    const done: ImportedFile[] = [];
    for (const each of files) done.push(await importOne(each, given, { storage, report }));
    if (done.every(({ imported }) => imported.stored + imported.alreadyThere === 0))
      throw nothingImported(file, done);
    const hint =
      settings.MARKET === 'csv' ? [] : [`set MARKET=csv to serve them (it is "${settings.MARKET}")`];
    return {
      data:
        files.length === 1
          ? dataOf(done[0])
          : done.map((each) => ({ file: each.file.path, ...dataOf(each) })),
      lines: [...done.flatMap((each, n) => describeImport(each, files[n + 1])), ...hint],
    };
  },
});

/** A file that was imported, and its series afterwards. */
interface ImportedFile {
  file: CandleFile;
  imported: ImportReport;
  series: Series<SourceInterval> | null;
}

async function importOne(
  file: CandleFile,
  given: GivenFormat,
  { storage, report }: Pick<CommandContext, 'storage' | 'report'>,
): Promise<ImportedFile> {
  const { path, base, quote, interval } = file;
  const pair = `${base}/${quote}`;
  const onImport: OnImport = ({ format, read, stored }) =>
    report(read === 0 ? `${pair}: detected: ${format}` : `${pair}: ${read} rows read, ${stored} stored`);
  const work = new CandleImport(storage, { market: 'csv', base, quote }, onImport, interval);
  const imported = await work.run(path, Date.now(), given).catch((error: unknown) => {
    throw withProgress(error, work.report);
  });
  return { file, imported, series: await work.series() };
}

const dataOf = ({ file: { base, quote, interval }, imported, series }: ImportedFile) => ({
  pair: `${base}/${quote}`,
  interval,
  ...imported,
  ...gapsOf(series),
  ...rangeOf(series),
});

/** The error of an import that ended early, with what was stored before. */
function withProgress(error: unknown, { read, stored }: ImportReport): unknown {
  if (!(error instanceof AppError)) return error;
  return new AppError(error.code, `${error.message} (${read} rows read, ${stored} stored before that)`);
}

function nothingImported(file: string, done: readonly ImportedFile[]): AppError {
  const read = done.reduce((sum, { imported }) => sum + imported.read, 0);
  const refusals = done.flatMap(({ imported }) => imported.refusals);
  const why = [`${read} rows read`, ...refusals.map(describeRefusal)].join('; ');
  return new AppError('invalid_file', `nothing of "${file}" was imported: ${why}`);
}

const describeRefusal = ({ reason, lines, firstLines }: ImportRefusal) =>
  `refused ${lines}: ${reason} (line ${firstLines.join(', ')}${lines > firstLines.length ? ', …' : ''})`;

const iso = (timeMs: number) => new Date(timeMs).toISOString();

const gapsOf = (series: Series<SourceInterval> | null) => ({
  missing: series?.missing ?? 0,
  gaps: (series?.gaps ?? []).map(({ after, next, missing }) => ({
    after: iso(after),
    next: iso(next),
    missing,
  })),
});

const rangeOf = (series: Series<SourceInterval> | null) =>
  series ? { first: iso(series.first), last: iso(series.last), count: series.count } : {};

/** What became of a file; how its series stands only after the last file of the series. */
function describeImport({ file, imported, series }: ImportedFile, next: CandleFile | undefined): string[] {
  const { base, quote, interval } = file;
  const { read, stored, alreadyThere, refused, refusals, replaced } = imported;
  const isLast = next?.base !== base || next.quote !== quote || next.interval !== interval;
  return [
    `${base}/${quote} ${interval}: ${read} rows read, ${stored} stored, ${alreadyThere} already there, ${refused} refused`,
    ...refusals.map((refusal) => `  ${describeRefusal(refusal)}`),
    ...(replaced ? [`  ${describeReplaced(replaced)}`] : []),
    ...(isLast ? describeSeries(series) : []),
  ];
}

const describeReplaced = ({ count, differing, mostPricePercent, mostVolumePercent }: ReplacedCandles) =>
  `${count} of them replace candles made of shorter ones; ${differing} of those differed, by at most ${percent(mostPricePercent)} in a price and ${percent(mostVolumePercent)} in volume`;

const percent = (value: number) => `${Number(value.toPrecision(3))} %`;

function describeSeries(series: Series<SourceInterval> | null): string[] {
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
    const data = (await storage.series.all()).map(describeStored);
    const rows = data.map((row) => titles.map((title) => String(row[title])));
    return listResult(data, titles, rows, 'no candles are stored');
  },
});

const describeStored = ({
  market,
  base,
  quote,
  interval,
  count,
  first,
  last,
  missing,
  gaps,
}: Series<ResearchInterval>) => ({
  market,
  pair: `${base}/${quote}`,
  interval,
  count,
  first: iso(first),
  last: iso(last),
  missing,
  gaps: gaps.length,
});

export const candlesCommand = defineNoun('candles', {
  summary: 'Candles in storage',
  examples: [
    'npm run admin -- candles import --pair BTC/USDT --file BTC_USDT-1h.csv.gz',
    'npm run admin -- candles status',
  ],
  commands: [importFile, status],
});
