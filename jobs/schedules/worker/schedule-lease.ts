import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

const turnMs = 5_000;
const renewMs = 1_500;

/** Takes the turn if nobody has it, or a worker that lost the same run. ARGV: holder, job, ms. */
const takeScript = `
local held = redis.call('GET', KEYS[1])
if held and string.match(held, '^(.*) ') ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return 1`;

/** Keeps the turn ('0' ms gives it back); 0 when it is another's. ARGV: holder, ms. */
const keepScript = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;

/** A turn that was taken; `signal` is aborted when another has taken it over. */
export interface ScheduleLease {
  signal: AbortSignal;
  end: () => Promise<void>;
}

/**
 * Takes the turn of a schedule for one of its runs: null while another run of it is under way. A worker that takes up a run
 * that another has lost takes over its turn, and the other one hears of it.
 */
export async function acquireScheduleLease(
  redis: Redis,
  name: string,
  jobId: string,
): Promise<ScheduleLease | null> {
  const key = `tidemark:schedule-turn:${name}`;
  const holder = `${jobId} ${randomUUID()}`;
  if ((await redis.eval(takeScript, 1, key, holder, jobId, turnMs)) !== 1) return null;
  const lost = new AbortController();
  const keep = async () => {
    const kept = await redis.eval(keepScript, 1, key, holder, turnMs);
    if (kept !== 1) lost.abort();
  };
  const timer = setInterval(() => void keep().catch(() => undefined), renewMs);
  return {
    signal: lost.signal,
    async end() {
      clearInterval(timer);
      await redis.eval(keepScript, 1, key, holder, 0).catch(() => undefined);
    },
  };
}
