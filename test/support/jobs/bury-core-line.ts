import { DeadLetters, type DeadLetter } from '../../../storage/cluster/dead-letters.js';
import type { TestService } from '../gateway/gateway.js';

/** A letter of a job that computes the core line; without a payload it cannot run again. */
export const coreLineLetter = {
  ...{ id: 'aa', queue: 'analysis', name: 'core-line', payload: null },
  error: { code: 'thread_failed', message: 'a thread failed', stack: 'Error: a thread failed\n    at x' },
  ...{ traceId: 't', attempts: 2, node: 'host:1' },
} as const satisfies Partial<DeadLetter>;

/** Buries the job that computes the core line of BTC/USDT by the day, or the same of another base, which nobody has. */
export async function buryCoreLine(
  { deps, storage }: Pick<TestService, 'deps' | 'storage'>,
  { id = coreLineLetter.id, base = 'BTC' }: { id?: string; base?: string } = {},
): Promise<string> {
  const key = { market: 'csv', base: 'BTC', quote: 'USDT', interval: '1d' } as const;
  const { digest } = (await storage.series.find(key))!;
  const payload = { key: { ...key, base }, digest };
  await new DeadLetters(deps.redis).add({ ...coreLineLetter, id, payload });
  return id;
}
