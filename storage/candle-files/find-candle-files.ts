import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sourceIntervals, type SourceInterval } from '../../compute/model/interval.js';
import { AppError } from '../../compute/model/errors.js';

/** A file of candles, and of which series it is. */
export interface CandleFile {
  path: string;
  base: string;
  quote: string;
  interval: SourceInterval;
}

/** What is known of the files beside their names. */
export interface GivenSeries {
  pair?: { base: string; quote: string } | undefined;
  interval?: SourceInterval | undefined;
}

/** BTC_USDT-1h.json, BTC_USDT-1h.json.gz, BTC_USDT-1h.feather. */
const ofFreqtrade = /^([A-Z0-9]{1,20})_([A-Z0-9]{1,20})-(\d+[mhdwM])\.(?:json|json\.gz|feather)$/;
/** BTCUSDT-1h-2024-01.zip, and by day. */
const ofBinance = /^([A-Z0-9]{2,40})-(\d+[mhdwM]|1mo)-\d{4}-\d{2}(?:-\d{2})?\.(?:zip|csv)$/;

/** Binance writes both symbols as one; of two that fit, the longer one is first. */
const quotes = [
  'FDUSD',
  'USDT',
  'USDC',
  'BUSD',
  'TUSD',
  'USDP',
  'EUR',
  'GBP',
  'TRY',
  'BRL',
  'JPY',
  'DAI',
  'USD',
  'BTC',
  'ETH',
  'BNB',
];

interface NamedSeries {
  base: string;
  quote: string;
  interval: string;
}

/** The series that a known name of a file says; null for another name. */
export function seriesOfFileName(name: string): NamedSeries | null {
  const [, base, quote, interval] = ofFreqtrade.exec(name) ?? [];
  if (base !== undefined) return { base, quote, interval };
  const [, symbol, length] = ofBinance.exec(name) ?? [];
  const found = quotes.find((each) => symbol?.endsWith(each) === true && symbol.length > each.length);
  return found === undefined
    ? null
    : { base: symbol.slice(0, -found.length), quote: found, interval: length };
}

/**
 * The files to import: the given one, or those of a folder whose names say pair and interval, as far as these are not given
 * otherwise, in order of their names. Throws `invalid_file` where there is none, and where the series of a file is not known.
 */
export async function findCandleFiles(path: string, given: GivenSeries): Promise<CandleFile[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new AppError('invalid_file', `"${path}" can't be read: ${(error as Error).message}`, {
      cause: error,
    });
  });
  if (!found.isDirectory()) return [oneFile(path, given)];
  const files = (await readdir(path)).sort().flatMap((name) => {
    const series = seriesOfFileName(name);
    if (!series || !isSource(series.interval) || !isAsked(series, given)) return [];
    return [{ path: join(path, name), ...series, interval: series.interval }];
  });
  if (files.length > 0) return files;
  throw new AppError(
    'invalid_file',
    `"${path}" holds no file of candles${given.pair || given.interval ? ' of that pair and interval' : ''}; expected names such as BTC_USDT-1h.json, BTC_USDT-5m.feather, BTCUSDT-1h-2024-01.zip`,
  );
}

/** What is given counts more than what the name says. */
function oneFile(path: string, { pair, interval }: GivenSeries): CandleFile {
  const named = seriesOfFileName(basename(path));
  const { base, quote } = pair ?? named ?? {};
  if (base === undefined || quote === undefined)
    throw new AppError(
      'invalid_command',
      `--pair is missing: the name "${basename(path)}" does not say it, as BTC_USDT-1h.json does`,
    );
  const length = interval ?? named?.interval ?? '1h';
  if (isSource(length)) return { path, base, quote, interval: length };
  throw new AppError(
    'invalid_file',
    `"${path}" holds candles of ${length} by its name; expected ${sourceIntervals.join(', ')}, from which 4h and 1d are made`,
  );
}

const isSource = (interval: string): interval is SourceInterval =>
  sourceIntervals.some((each) => each === interval);

const isAsked = ({ base, quote, interval }: NamedSeries, given: GivenSeries): boolean =>
  (given.pair === undefined || (given.pair.base === base && given.pair.quote === quote)) &&
  (given.interval === undefined || given.interval === interval);
