import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { candleColumns, createCandles, type Candles } from '../../../compute/model/candles.js';

/** The columns of a gzipped CSV file by the names in its header, an empty cell as 0. */
export function readNumberColumns(path: string): Record<string, Float64Array> {
  const [header, ...lines] = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  const rows = lines.map((line) => line.split(','));
  return Object.fromEntries(
    header.split(',').map((name, c) => [name, Float64Array.from(rows, (row) => Number(row[c]))]),
  );
}

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
