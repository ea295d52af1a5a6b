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

/** The JSON object a request carries, at most 64 KiB when inflated. Whatever else comes as a body is refused. */
export async function readJsonBody(ctx: ParameterizedContext): Promise<object> {
  return readJson(ctx, ctx.req);
}

/** The bytes of the body as they are on the wire, still compressed if they were: at most 64 KiB, none for no body. */
export const readRawBody = ({ req }: ParameterizedContext): Promise<Buffer> => readBytes(req, req);

/** The JSON object in the bytes of a request's body; the same is taken as by `readJsonBody`. */
export const parseJsonBody = (ctx: ParameterizedContext, bytes: Buffer): Promise<object> =>
  readJson(ctx, Readable.from([bytes]));

async function readJson(ctx: ParameterizedContext, source: Readable): Promise<object> {
  checkJsonType(ctx);
  return parseObject(await readBytes(source, inflated(source, ctx.get('Content-Encoding'))));
}

function checkJsonType(ctx: ParameterizedContext): void {
  // Of two, Node would take the first and somebody else the last.
  const type = ctx.req.headersDistinct['content-type']?.join(', ') ?? '';
  if (!/^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(type)) {
    const message = `the body must come as Content-Type "application/json" in UTF-8, found "${type.slice(0, 60)}"`;
    throw new AppError('unsupported_media_type', message);
  }
}

function inflated(stream: Readable, given: string): Readable {
  // RFC 9110, 8.4.1: without regard to case, and x-gzip is gzip.
  const encoding = given.toLowerCase();
  if (encoding === '' || encoding === 'identity') return stream;
  if (!Object.hasOwn(inflaters, encoding)) {
    throw new AppError('unsupported_media_type', `Content-Encoding "${given.slice(0, 60)}" is not known`);
  }
  const inflater = inflaters[encoding as keyof typeof inflaters]();
  stream.once('error', (error) => inflater.destroy(error));
  return stream.pipe(inflater);
}

async function readBytes(request: Readable, stream: Readable): Promise<Buffer> {
  try {
    return await getRawBody(stream, { limit: limitBytes });
  } catch (error) {
    // What is left of the body is read and dropped: the next request on this connection lies behind it.
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
