import type { Command } from './command.js';
import { tableOf } from './table-of.js';

export const candlesStatus: Command = {
  name: 'candles status',
  summary: 'lists the stored candles of every market',
  options: {},
  async run(_options, { storage }) {
    const series = await storage.series.list();
    const rows = series.map(({ market, base, quote, interval, count, first, last, missing, gaps }) => ({
      market,
      pair: `${base}/${quote}`,
      interval,
      count,
      first: new Date(first).toISOString(),
      last: new Date(last).toISOString(),
      missing,
      gaps: gaps.length,
    }));
    const titles = ['market', 'pair', 'interval', 'count', 'first', 'last', 'missing', 'gaps'] as const;
    const table = tableOf(
      titles,
      rows.map((row) => titles.map((title) => String(row[title]))),
    );
    return { data: rows, lines: rows.length === 0 ? ['no candles are stored'] : table };
  },
};
