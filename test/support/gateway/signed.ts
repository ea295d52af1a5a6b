import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';

/** The secret of the interface's test vectors. */
export const testSecret = 'test_secret';

export interface ToSign {
  method?: string;
  target: string;
  body?: string | Buffer;
  timestamp?: string;
  secret?: string;
}

/** The two headers that sign a request, now unless told otherwise. */
export function signatureOf({
  method = 'GET',
  target,
  body = '',
  timestamp = String(Math.floor(Date.now() / 1_000)),
  secret = testSecret,
}: ToSign): { 'x-timestamp': string; 'x-signature': string } {
  const text = Buffer.concat([
    Buffer.from(`${timestamp}\n${method}\n`),
    Buffer.from(target, 'latin1'),
    Buffer.from('\n'),
    Buffer.from(body),
  ]);
  return {
    'x-timestamp': timestamp,
    'x-signature': createHmac('sha256', secret).update(text).digest('hex'),
  };
}

export interface BareAnswer {
  status: number;
  headers: Headers;
  /** The bytes of the answer as text. */
  text: string;
  // Tests look into answers of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface SignedOptions {
  method?: string;
  body?: string | Buffer<ArrayBuffer>;
  /** Added to, or put in place of, those that sign. */
  headers?: Record<string, string>;
  sign?: Partial<ToSign>;
}

/** Sends a signed request; a body goes as JSON unless `headers` say otherwise. */
export async function sendSigned(
  { url }: { url: string },
  target: string,
  { method = 'GET', body, headers = {}, sign = {} }: SignedOptions = {},
): Promise<BareAnswer> {
  const given = body === undefined ? {} : { body };
  return sendBare(url, target, {
    method,
    ...given,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...signatureOf({ method, target, ...given, ...sign }),
      ...headers,
    },
  });
}

/** Sends a request as it is and reads the bare answer. */
export async function sendBare(url: string, target: string, init: RequestInit = {}): Promise<BareAnswer> {
  const answer = await fetch(url + target, init);
  const text = await answer.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, text, json };
}

/** Fails unless the answer is the bare form of an error, with nothing of the inside in it. */
export function assertBareRefusal(
  { status, headers, json }: BareAnswer,
  expected: { status: number; code: string; field?: string | undefined },
  what = '',
): void {
  const { error } = json as { error: { code: string; message: string; field?: string; requestId: string } };
  assert.deepEqual({ status, code: error.code, field: error.field }, { field: undefined, ...expected }, what);
  assert.deepEqual(Object.keys(json as object), ['error'], what);
  const known = ['code', 'message', 'field', 'part', 'requestId'];
  assert.deepEqual(
    Object.keys(error).filter((name) => !known.includes(name)),
    [],
    what,
  );
  assert.equal(error.requestId, headers.get('x-request-id'), what);
  assert.ok(error.message.length > 0 && error.message.length < 500, what);
  assert.doesNotMatch(error.message, /\n|node_modules|\.js:|Mongo(Server|Network)|BSON|ECONN/, what);
}
