import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip, crc32 } from 'node:zlib';
import { AppError } from '../../compute/model/errors.js';
import type { Entry, ZipFile } from 'yauzl';

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

/**
 * The bytes of the one file in a zip archive, such as those of Binance. Throws `invalid_file`, naming the entry, where the archive
 * is broken, encrypted, or holds another number of files. The archive says how large the file is, and more bytes are refused.
 */
async function* readZipEntry(path: string, mostBytes: number): AsyncGenerator<Buffer> {
  // Few imports need it.
  const { openPromise } = await import('yauzl');
  const refuse = (why: string, cause?: unknown) =>
    new AppError('invalid_file', `"${path}" can't be read: ${why}`, { cause });
  const archive = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
    throw refuse(`the zip archive is broken: ${(error as Error).message}`, error);
  });
  try {
    const entry = await onlyEntry(archive).catch((error: unknown) => {
      throw refuse((error as Error).message, error);
    });
    const named = `"${entry.fileName}" in the zip archive`;
    if (entry.uncompressedSize > mostBytes)
      throw refuse(`${named} has ${entry.uncompressedSize} bytes; expected at most ${mostBytes}`);
    const unpack = async () => (await archive.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
    // Unpacked twice: the checksum covers all bytes, and none of a broken entry may be taken for candles.
    try {
      let sum = 0;
      for await (const chunk of await unpack()) sum = crc32(chunk, sum);
      if (sum !== entry.crc32) throw new Error('its checksum is wrong');
    } catch (error) {
      throw refuse(`${named} is broken: ${(error as Error).message}`, error);
    }
    yield* await unpack();
  } finally {
    archive.close();
  }
}

async function onlyEntry(archive: ZipFile): Promise<Entry> {
  let found: Entry | undefined;
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    if (found) throw new Error('the zip archive holds several files; expected one CSV file');
    found = entry;
  }
  if (!found) throw new Error('the zip archive is empty; expected one CSV file');
  return found;
}
