import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { candleColumns, createCandles, type Candles } from '../../compute/model/candles.js';

/** The lines of a gzipped CSV file without its header, split at commas. */
export function readRows(path: string): string[][] {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  return lines.slice(1).map((line) => line.split(','));
}

/** The candles of a gzipped CSV file with the columns time,open,high,low,close,volume. */
export function readCandleFile(path: string): Candles {
  const rows = readRows(path);
  const candles = createCandles(rows.length);
  rows.forEach((row, i) => candleColumns.forEach((column, c) => (candles[column][i] = Number(row[c]))));
  return candles;
}
