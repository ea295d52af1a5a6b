import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../compute/model/errors.js';

/**
 * The text of a file, plain or gzipped, without its byte order mark: UTF-16 if that mark says so, else UTF-8. Where the file
 * cannot be read to its end, throws `invalid_file` after the text before the fault.
 */
export async function* openText(path: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of (await openBytes(path)) as AsyncIterable<Buffer>) {
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

/** A gzipped file is recognized by its first two bytes, whatever its name says. */
async function openBytes(path: string): Promise<Readable> {
  const start = await firstBytes(path);
  if (start === 'PK') throw new AppError('invalid_file', `"${path}" is a zip archive; unpack it first`);
  const bytes = createReadStream(path);
  if (start !== '\x1f\x8b') return bytes;
  const inflated = createGunzip();
  // The reader of `inflated` receives the error of either stream.
  pipeline(bytes, inflated, () => undefined);
  return inflated;
}

async function firstBytes(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(2), position: 0 });
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
