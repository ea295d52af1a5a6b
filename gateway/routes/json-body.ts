import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { ParameterizedContext } from 'koa';
import getRawBody from 'raw-body';
import { AppError } from '../../compute/model/errors.js';
import { parseStrictJson } from './strict-json.js';

const limitBytes = 64 * 1024;

const inflaters = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The JSON object in the body, at most 64 KiB after decompression. Throws `unsupported_media_type`, `body_too_large`,
 * `invalid_body`, or `invalid_input` for a missing body or JSON that is not an object.
 */
export async function readJsonBody(ctx: ParameterizedContext): Promise<object> {
  return readJson(ctx, ctx.req);
}

/** The bytes of the body as sent, before decompression: at most 64 KiB, empty without a body. */
export const readRawBody = ({ req }: ParameterizedContext): Promise<Buffer> => readBytes(req, req);

/** The JSON object in the bytes of `readRawBody`, with the rules of `readJsonBody`. */
export const parseJsonBody = (ctx: ParameterizedContext, bytes: Buffer): Promise<object> =>
  readJson(ctx, Readable.from([bytes]));

async function readJson(ctx: ParameterizedContext, source: Readable): Promise<object> {
  checkJsonType(ctx);
  return parseObject(await readBytes(source, inflated(source, ctx.get('Content-Encoding'))));
}

function checkJsonType(ctx: ParameterizedContext): void {
  // Of repeated headers Node takes the first, and a proxy may take the last.
  const type = ctx.req.headersDistinct['content-type']?.join(', ') ?? '';
  if (!/^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(type)) {
    const message = `the body must have Content-Type "application/json" in UTF-8, found "${type.slice(0, 60)}"`;
    throw new AppError('unsupported_media_type', message);
  }
}

function inflated(stream: Readable, given: string): Readable {
  // RFC 9110, 8.4.1: case-insensitive, and x-gzip equals gzip.
  const encoding = given.toLowerCase();
  if (encoding === '' || encoding === 'identity') return stream;
  if (!Object.hasOwn(inflaters, encoding)) {
    throw new AppError('unsupported_media_type', `Content-Encoding "${given.slice(0, 60)}" is not supported`);
  }
  const inflater = inflaters[encoding as keyof typeof inflaters]();
  stream.once('error', (error) => inflater.destroy(error));
  return stream.pipe(inflater);
}

async function readBytes(request: Readable, stream: Readable): Promise<Buffer> {
  try {
    return await getRawBody(stream, { limit: limitBytes });
  } catch (error) {
    // The rest of the body is read and dropped, because the next request on this connection follows it.
    request.unpipe();
    request.resume();
    if (stream !== request) stream.destroy();
    if ((error as { type?: string }).type === 'entity.too.large') {
      throw new AppError('body_too_large', `the body must be at most ${limitBytes} bytes`, { cause: error });
    }
    throw new AppError('invalid_body', 'the body could not be read', { cause: error });
  }
}

function parseObject(bytes: Buffer): object {
  if (bytes.toString('latin1').trim() === '') {
    throw new AppError('invalid_input', 'the body is missing: a JSON object is expected');
  }
  const value = parseStrictJson(decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_input', 'the body must be a JSON object');
  }
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('invalid_body', 'the body is not UTF-8', { cause: error });
  }
}
