import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { AppError } from '../../compute/model/errors.js';

/**
 * The bytes of the one file in a zip archive, such as those of Binance. Throws `invalid_file`, naming the entry, where the archive
 * is broken, encrypted, or holds another number of files. The archive says how large the file is, and more bytes are refused.
 */
export async function* readZipEntry(path: string, mostBytes: number): AsyncGenerator<Buffer> {
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
