import getRawBody from 'raw-body';
import type { ParameterizedContext } from 'koa';
import { Readable, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '../../compute/model/errors.js';
import { parseStrictJson } from './strict-json.js';

/** Whether a request comes without a body, or with an empty one. */
export const hasNoBody = ({ req }: Pick<ParameterizedContext, 'req'>): boolean =>
  req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;

const withBody = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Whether requests of a method carry their fields in a body; all others carry them in path and query. Partners repeat the id
 * of a signal in the body of a DELETE, too.
 */
export const carriesBody = (method: string, surface?: string): boolean =>
  withBody.has(method) || (surface === 'partner' && method === 'DELETE');

const inflaters = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** How much of a body is read, unless a route takes more. */
const defaultLimitBytes = 64 * 1024;

const noBytes = Buffer.alloc(0);

/**
 * The JSON object in the body, at most 64 KiB after decompression. Throws `unsupported_media_type`, `body_too_large`,
 * `invalid_body`, or `invalid_input` for a missing body or JSON that is not an object.
 */
export async function readJsonBody(ctx: ParameterizedContext): Promise<object> {
  return asObject(await readJsonValue(ctx, defaultLimitBytes));
}

/** The JSON value in the body, whatever it is, at most `limitBytes` after decompression. Throws as `readJsonBody` does. */
export async function readJsonValue(ctx: ParameterizedContext, limitBytes: number): Promise<unknown> {
  checkJsonType(ctx);
  const inflate = inflaterOf(ctx);
  askForBody(ctx, limitBytes);
  return parseValue(await readBytes(ctx.req, inflate, limitBytes));
}

/** The bytes of the body as sent, before decompression: at most 64 KiB, empty without a body. */
export async function readRawBody(ctx: ParameterizedContext): Promise<Buffer> {
  if (hasNoBody(ctx)) return noBytes;
  askForBody(ctx, defaultLimitBytes);
  return readBytes(ctx.req, null, defaultLimitBytes);
}

/** The JSON object in the bytes of `readRawBody`, with the rules of `readJsonBody`. */
export async function parseJsonBody(ctx: ParameterizedContext, bytes: Buffer): Promise<object> {
  checkJsonType(ctx);
  return asObject(parseValue(await readBytes(Readable.from([bytes]), inflaterOf(ctx), defaultLimitBytes)));
}

/**
 * Tells a client that waits for it (Expect: 100-continue) to send its body. Throws `body_too_large` for a declared length
 * above the limit, before anything is read.
 */
function askForBody({ req, res }: ParameterizedContext, limitBytes: number): void {
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const isAwaited = /^100-continue$/i.test(req.headers.expect ?? '') && req.httpVersion === '1.1';
  if (isAwaited && !res.headersSent) res.writeContinue();
}

function checkJsonType(ctx: ParameterizedContext): void {
  // Of repeated headers Node takes the first, and a proxy may take the last.
  const type = ctx.req.headersDistinct['content-type']?.join(', ') ?? '';
  if (!/^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(type)) {
    const message = `the body must have Content-Type "application/json" in UTF-8, found "${type.slice(0, 60)}"`;
    throw new AppError('unsupported_media_type', message);
  }
}

/** Makes the stream that decompresses the body; null for a body that is not compressed. */
function inflaterOf(ctx: ParameterizedContext): (() => Duplex) | null {
  const given = ctx.get('Content-Encoding');
  // RFC 9110, 8.4.1: case-insensitive, and x-gzip equals gzip.
  const encoding = given.toLowerCase();
  if (encoding === '' || encoding === 'identity') return null;
  if (!Object.hasOwn(inflaters, encoding)) {
    throw new AppError('unsupported_media_type', `Content-Encoding "${given.slice(0, 60)}" is not supported`);
  }
  return inflaters[encoding as keyof typeof inflaters];
}

async function readBytes(
  request: Readable,
  inflate: (() => Duplex) | null,
  limitBytes: number,
): Promise<Buffer> {
  const stream = inflate === null ? request : inflated(request, inflate(), limitBytes);
  try {
    return await getRawBody(stream, { limit: limitBytes });
  } catch (error) {
    request.unpipe();
    if (stream !== request) stream.destroy();
    if (error instanceof AppError) throw error;
    if ((error as { type?: string }).type === 'entity.too.large') throw tooLarge(limitBytes, error);
    throw new AppError('invalid_body', 'the body could not be read', { cause: error });
  }
}

/** The decompressed stream. It also fails when the compressed bytes exceed the limit: they can be many and still hold nothing. */
function inflated(request: Readable, inflater: Duplex, limitBytes: number): Duplex {
  let sentBytes = 0;
  request.on('data', (chunk: Buffer) => {
    sentBytes += chunk.length;
    if (sentBytes > limitBytes) inflater.destroy(tooLarge(limitBytes));
  });
  request.once('error', (error) => inflater.destroy(error));
  return request.pipe(inflater);
}

const tooLarge = (limitBytes: number, cause?: unknown) =>
  new AppError('body_too_large', `the body must be at most ${limitBytes} bytes`, { cause });

function parseValue(bytes: Buffer): unknown {
  if (bytes.toString('latin1').trim() === '') {
    throw new AppError('invalid_input', 'the body is missing: a JSON object is expected');
  }
  return parseStrictJson(decode(bytes));
}

function asObject(value: unknown): object {
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
