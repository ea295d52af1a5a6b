import assert from 'node:assert/strict';
import type { TestAnswer, TestService } from './gateway.js';

/** What a refused request is to answer. */
export interface Refusal {
  status: number;
  type: string;
  field?: string;
}

/** A request that is to be refused: what is wrong with it, and how it is answered. */
export interface BadRequest extends Refusal {
  what: string;
  /** Text and bytes go out as they are, all else as JSON. */
  body: unknown;
  headers?: Record<string, string>;
}

/** Fails unless the answer is exactly the error envelope of the interface, with nothing of the inside in it. */
export function assertRefused(
  { status, headers, result, payload }: TestAnswer,
  expected: Refusal,
  what = '',
): void {
  const { field } = expected;
  const found = { status, type: result.type, field: payload.field };
  assert.deepEqual(
    found,
    { status: expected.status, type: expected.type, field },
    `${what}: ${payload.message}`,
  );
  assert.deepEqual(Object.keys(result), ['type'], what);
  const names = field === undefined ? ['message', 'requestId'] : ['message', 'field', 'requestId'];
  assert.deepEqual(Object.keys(payload), names, what);
  assert.equal(payload.requestId, headers.get('x-request-id'), what);
  assert.match(payload.requestId, /^[\w.-]{1,64}$/, what);
  assert.equal(typeof payload.message, 'string', what);
  assert.ok(payload.message.length > 0 && payload.message.length < 500, `${what}: ${payload.message}`);
  assert.doesNotMatch(payload.message, /\n|node_modules|\.js:|Mongo(Server|Network)|BSON|ECONN/, what);
}

/** Sends a body as it is and reads the envelope. Bytes carry no Content-Type of their own. */
export async function send(
  { url }: Pick<TestService, 'url'>,
  path: string,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<TestAnswer> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
  return { status: answer.status, headers: answer.headers, result, payload };
}

/** The same good body with one field replaced by each value; every one is refused for that field. */
export const badValues = (
  good: object,
  field: string,
  type: string,
  values: readonly unknown[],
): BadRequest[] =>
  values.map((value) => ({
    what: `${field} ${shorten(JSON.stringify(value) ?? 'missing')}`,
    body: { ...good, [field]: value },
    status: 400,
    type,
    field,
  }));

const shorten = (text: string) => (text.length > 50 ? `${text.slice(0, 40)}… (${text.length})` : text);
