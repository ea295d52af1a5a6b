import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { candleColumns, type Candles } from '../../../compute/model/candles.js';

export const header = candleColumns.join();

/** The candles as lines of CSV, without the header. */
export function csvLines(candles: Candles): string[] {
  return Array.from(candles.time, (_, i) => candleColumns.map((column) => candles[column][i]).join());
}

/** Writes the lines (or the bytes as they are), gzipped where the name says so, and returns the path. */
export async function writeCsv(folder: string, name: string, content: string[] | Buffer): Promise<string> {
  const path = join(folder, name);
  const bytes = Array.isArray(content) ? Buffer.from(content.map((line) => `${line}\n`).join('')) : content;
  await writeFile(path, name.endsWith('.gz') && Array.isArray(content) ? gzipSync(bytes) : bytes);
  return path;
}
