import type { Redis } from 'ioredis';
import { luaNow } from '../servers/redis-now.js';
import { runScript } from '../servers/redis.js';

/** Upper bounds of the bins that durations are counted in, in ms: six in each power of ten. The last bin has none. */
export const binBounds: readonly number[] = [0, 1, 2, 3, 4].flatMap((power) =>
  [1, 1.5, 2, 3, 5, 7].map((step) => step * 10 ** power),
);

/** The bin of a duration in ms. */
export function binOf(ms: number): number {
  const bin = binBounds.findIndex((bound) => ms <= bound);
  return bin === -1 ? binBounds.length : bin;
}

/**
 * The duration in ms below which a share of the counted durations is, as in 0.99; null if nothing was counted. Durations in a
 * bin count as spread evenly over it.
 */
export function quantileOf(counts: readonly number[], share: number): number | null {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share;
  if (wanted === 0) return null;
  let below = 0;
  for (const [bin, count] of counts.entries()) {
    const [from, to] = [binBounds[bin - 1] ?? 0, binBounds[bin] ?? binBounds.at(-1)!];
    if (count > 0 && below + count >= wanted) return from + ((to - from) * (wanted - below)) / count;
    below += count;
  }
  return binBounds.at(-1)!;
}

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
