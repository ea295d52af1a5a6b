import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../compute/model/errors.js';
import { readZipEntry } from './read-zip-entry.js';

/** A packed file may hold any number of bytes: more than eight years of candles of 1m are none. */
const mostTextBytes = 2 ** 31;

/**
 * The text of a file, plain, gzipped or alone in a zip archive, without its byte order mark: UTF-16 if that mark says so, else
 * UTF-8. Where the file cannot be read to its end, throws `invalid_file` after the text before the fault.
 */
export async function* openText(path: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let bytes = 0;
  try {
    for await (const chunk of await openBytes(path)) {
      bytes += chunk.length;
      if (bytes > mostTextBytes) throw new Error(`it has more than ${mostTextBytes} bytes`);
      decoder ??= new TextDecoder(encodingOf(chunk));
      yield decoder.decode(chunk, { stream: true });
    }
    if (decoder !== undefined) yield decoder.decode();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = `"${path}" can't be read: ${(error as Error).message}`;
    throw new AppError('invalid_file', message, { cause: error });
  }
}

/** Packed files are recognized by their first two bytes, whatever their names say. */
async function openBytes(path: string): Promise<AsyncIterable<Buffer>> {
  const start = await firstBytes(path, 2);
  if (start === 'PK') return readZipEntry(path, mostTextBytes);
  const bytes = createReadStream(path);
  if (start !== '\x1f\x8b') return bytes as AsyncIterable<Buffer>;
  const inflated = createGunzip();
  // The reader of `inflated` receives the error of either stream.
  pipeline(bytes, inflated, () => undefined);
  return inflated as AsyncIterable<Buffer>;
}

/** The first bytes of a file, each as a character. */
export async function firstBytes(path: string, count: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(count), position: 0 });
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The encoding by the byte order mark, which the decoder removes. */
function encodingOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
