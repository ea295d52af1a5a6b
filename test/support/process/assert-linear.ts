import assert from 'node:assert/strict';
import { leastMs } from './least-ms.js';

/**
 * Fails if reading a text takes time with the square of its length: 256 times as much for 16 times the length, where a
 * reader that passes over it once takes about 16 times as much.
 */
export function assertLinear(
  what: string,
  textOf: (length: number) => string,
  read: (text: string) => unknown,
): void {
  const length = 64_000;
  const [short, long] = [textOf(length / 16), textOf(length)];
  const isLinear = ([shortMs, longMs]: number[]) => longMs < 80 * shortMs;
  const [shortMs, longMs] = leastMs([() => read(short), () => read(long)], isLinear);
  assert.ok(isLinear([shortMs, longMs]), `${what}: ${longMs} ms, and ${shortMs} ms for a 16th of it`);
}
