import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

const leaseMs = 5_000;
const renewMs = 1_500;

/** Takes the lease if it is free, or if the same run holds it: another worker has lost that run. ARGV: holder, job id, ms. */
const takeScript = `
local held = redis.call('GET', KEYS[1])
if held and string.match(held, '^(.*) ') ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return 1`;

/** Extends the lease, or with '0' ms gives it back; 0 when another worker holds it. ARGV: holder, ms. */
const keepScript = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;

export interface ScheduleLease {
  /** Aborted when another worker has taken over the lease. */
  signal: AbortSignal;
  release: () => Promise<void>;
}

/**
 * Takes the lease of a schedule for one of its runs; null while another run holds it. A worker that takes over a run also
 * takes over its lease, and aborts the signal of the worker before.
 */
export async function acquireScheduleLease(
  redis: Redis,
  name: string,
  jobId: string,
): Promise<ScheduleLease | null> {
  const key = `tidemark:schedule-turn:${name}`;
  const holder = `${jobId} ${randomUUID()}`;
  if ((await redis.eval(takeScript, 1, key, holder, jobId, leaseMs)) !== 1) return null;
  const lost = new AbortController();
  const renew = async () => {
    const isKept = (await redis.eval(keepScript, 1, key, holder, leaseMs)) === 1;
    if (!isKept) lost.abort();
  };
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs);
  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer);
      await redis.eval(keepScript, 1, key, holder, 0).catch(() => undefined);
    },
  };
}
