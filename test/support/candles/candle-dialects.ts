import type { CandleRow } from '../../../storage/candles/candle-row.js';
import type { GivenFormat } from '../../../storage/candle-files/detect-format.js';

/** How one exchange, data service or program writes 1h candles of BTC/USDT, and what is detected of it. */
export interface CandleDialect {
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
export const candleDialects: Record<string, CandleDialect> = {
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
