import type { Table } from '@uwdata/flechette';
import { candleColumns } from '../../compute/model/candles.js';
import { missingColumns, positionsNamed } from './column-names.js';
import { decodeLz4Frame } from './lz4-frame.js';

const rowsAtOnce = 2_000;
const bytesOfRow = 8 * candleColumns.length;

interface ArrowOptions {
  /** The asset of the pair, because files with two volumes name their columns by the assets. */
  base: string;
  /** More bytes are not unpacked. */
  mostBytes: number;
}

/**
 * Lines of CSV made of the rows of an Arrow file, as pandas and freqtrade write it (feather, LZ4): the columns in the order of
 * `candleColumns`. Timestamps of every unit become ms. Throws an `Error` where the file is broken or lacks a column.
 */
export async function* arrowLines(file: Uint8Array, options: ArrowOptions): AsyncGenerator<string> {
  const columns = await columnsOf(file, options);
  const count = columns[0].length;
  for (let from = 0; from < count; from += rowsAtOnce) {
    const lines: string[] = [];
    for (let i = from; i < Math.min(count, from + rowsAtOnce); i++)
      lines.push(columns.map((column) => String(column[i])).join());
    yield `${lines.join('\n')}\n`;
  }
}

async function columnsOf(file: Uint8Array, { base, mostBytes }: ArrowOptions): Promise<ArrayLike<unknown>[]> {
  // Few imports need it.
  const { CompressionType, setCompressionCodec, tableFromIPC } = await import('@uwdata/flechette');
  let left = mostBytes;
  setCompressionCodec(CompressionType.LZ4_FRAME, {
    decode(bytes, length) {
      left -= length;
      if (!(length >= 0 && left >= 0)) throw new Error(`it holds more than ${mostBytes} bytes`);
      return decodeLz4Frame(bytes, length);
    },
    encode() {
      throw new Error('candle files are only read');
    },
  });
  let table: Table;
  try {
    // Its own memory, so that columns of 8 bytes begin at multiples of 8.
    table = tableFromIPC(new Uint8Array(file));
  } catch (error) {
    throw new Error(`the Arrow file is broken: ${(error as Error).message}`, { cause: error });
  }
  if (table.numRows * bytesOfRow > mostBytes) throw new Error(`it says that it has ${table.numRows} rows`);
  const { names } = table;
  const missing = missingColumns(names, base);
  if (missing.length > 0)
    throw new Error(`it has no column "${missing.join('", "')}", found ${names.join(', ').slice(0, 200)}`);
  const positions = positionsNamed(names, base);
  return candleColumns.map((name) => table.getChildAt(positions[name]).toArray());
}
