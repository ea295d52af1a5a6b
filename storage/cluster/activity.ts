import type { Redis } from 'ioredis';
import { luaNow } from '../servers/lua-now.js';
import { runScript } from '../servers/redis.js';
import { binBounds, quantileOf } from './latency-bins.js';

/** Requests under /backend and /v3, and jobs that nodes ran. */
export type ActivityKind = 'requests' | 'jobs';

/** What happened in a minute; latencies in ms, null if nothing happened. */
export interface ActivityFigures {
  count: number;
  failed: number;
  p50Ms: number | null;
  p99Ms: number | null;
}

/** A minute of the whole cluster. */
export interface ActivityMinute {
  /** When it began, ISO 8601. */
  at: string;
  requests: ActivityFigures;
  jobs: ActivityFigures;
}

export const activityKey = 'tidemark:activity:';

/** How many minutes are kept: those that are shown, and some to spare. */
export const keptMinutes = 65;

const shownMinutes = 60;

/** The minutes up to now, the latest last: the number of the first, and the fields and counts of each. */
const readScript = `${luaNow}
local last = math.floor(now / 60000)
local found = {}
for n = 1, tonumber(ARGV[1]) do
  found[n] = redis.call('HGETALL', KEYS[1] .. string.format('%.0f', last - tonumber(ARGV[1]) + n))
end
return {string.format('%.0f', last - tonumber(ARGV[1]) + 1), found}`;

/** The last hour, minute by minute; the last minute is still going on. Throws `redis_unavailable`. */
export async function readActivity(redis: Redis): Promise<ActivityMinute[]> {
  const [first, found] = (await runScript(redis, readScript, activityKey, [shownMinutes])) as [
    string,
    string[][],
  ];
  return found.map((fields, n) => {
    const counts = new Map<string, number>();
    for (let at = 0; at < fields.length; at += 2) counts.set(fields[at], Number(fields[at + 1]));
    return {
      at: new Date((Number(first) + n) * 60_000).toISOString(),
      requests: figuresOf('requests', counts),
      jobs: figuresOf('jobs', counts),
    };
  });
}

function figuresOf(kind: ActivityKind, counts: ReadonlyMap<string, number>): ActivityFigures {
  const bins = Array.from({ length: binBounds.length + 1 }, (_, bin) => counts.get(`${kind} ${bin}`) ?? 0);
  return {
    count: bins.reduce((sum, count) => sum + count, 0),
    failed: counts.get(`${kind} failed`) ?? 0,
    p50Ms: rounded(quantileOf(bins, 0.5)),
    p99Ms: rounded(quantileOf(bins, 0.99)),
  };
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Number(ms.toPrecision(3)));
