import { resolve } from 'node:path';
import { AppError } from '../../compute/model/errors.js';
import { CandleImport, type ImportReport } from '../market/candle-import.js';
import type { Series } from '../../storage/candles/series.js';
import type { Command } from './command.js';

const symbols = /^([A-Z0-9]{1,20})\/([A-Z0-9]{1,20})$/;
const shownGaps = 10;

export const candlesImport: Command = {
  name: 'candles import',
  summary: 'stores the 1h candles of a CSV file (gzipped or not); serve them with MARKET=csv',
  options: {
    pair: { value: 'BTC/USDT', required: true },
    interval: { value: '1h', required: true },
    file: { value: 'F.csv.gz', required: true },
  },
  async run({ pair, interval, file }, { storage, settings, report }) {
    const [, base, quote] = symbols.exec(pair!) ?? [];
    if (base === undefined || quote === undefined) {
      throw new AppError(
        'invalid_command',
        `--pair must be two symbols in upper case, as in BTC/USDT, found "${pair}"`,
      );
    }
    if (interval !== '1h') {
      const message = `--interval must be 1h (4h and 1d candles are made from those of 1h), found "${interval}"`;
      throw new AppError('invalid_command', message);
    }
    const work = new CandleImport(storage, { market: 'csv', base, quote }, ({ read, stored }) =>
      report(`${pair}: ${read} rows read, ${stored} stored`),
    );
    const imported = await work.run(resolve(file!)).catch((error: unknown) => {
      const { read, stored } = work.report;
      throw error instanceof AppError
        ? new AppError(error.code, `${error.message} (${read} rows read, ${stored} stored before that)`)
        : error;
    });
    const series = await work.series();
    const hint =
      settings.MARKET === 'csv' ? [] : [`set MARKET=csv to serve them (it is "${settings.MARKET}")`];
    return {
      data: { pair, interval, ...imported, ...gapsOf(series), ...rangeOf(series) },
      lines: [...describe(pair!, imported), ...describeSeries(series), ...hint],
    };
  },
};

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

function describe(pair: string, { read, stored, alreadyThere, refused, refusals }: ImportReport): string[] {
  return [
    `${pair} 1h: ${read} rows read, ${stored} stored, ${alreadyThere} already there, ${refused} refused`,
    ...refusals.map(({ reason, lines, firstLines }) => {
      const more = lines > firstLines.length ? ', …' : '';
      return `  refused ${lines}: ${reason} (line ${firstLines.join(', ')}${more})`;
    }),
  ];
}

function describeSeries(series: Series | null): string[] {
  if (!series) return ['nothing is stored of this pair'];
  const gaps = series.gaps.slice(0, shownGaps);
  const more = series.gaps.length - gaps.length;
  return [
    `stored now: ${series.count} candles from ${iso(series.first)} to ${iso(series.last)}, ${series.missing} missing in ${series.gaps.length} gaps`,
    ...gaps.map(({ after, next, missing }) => `  gap of ${missing} between ${iso(after)} and ${iso(next)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
