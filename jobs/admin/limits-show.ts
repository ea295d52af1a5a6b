import type { Redis } from 'ioredis';
import { pointsPerMinute, type LimitKey } from '../../storage/users/limit-keys.js';
import type { Command } from './command.js';
import { readLimits } from './read-limits.js';
import { tableOf } from './table-of.js';

interface Use {
  what: string;
  used: number;
  /** Null where there is no fixed one. */
  limit: number | null;
  /** Seconds until the points are there again, or until a sign-in may be tried; 0: nothing is to be waited for. */
  waitSeconds: number;
}

export const limitsShow: Command = {
  name: 'limits show',
  summary: 'shows the points a minute, and what a user or an address has used of its limits',
  options: { email: { value: 'E', required: false }, address: { value: 'IP', required: false } },
  async run(options, context) {
    const points = pointsPerMinute(context.settings);
    const limits = await readLimits(options, context);
    const uses = await Promise.all(limits.map((limit) => readUse(context.redis, limit)));
    const plans = Object.entries(points).map(([name, n]) => [name, String(n)]);
    const rows = uses.map(({ what, used, limit, waitSeconds }) =>
      [what, used, limit ?? '-', waitSeconds].map(String),
    );
    const table = uses.length === 0 ? [] : ['', ...tableOf(['counted', 'used', 'limit', 'wait s'], rows)];
    return { data: { points, uses }, lines: [...tableOf(['whose', 'points a minute'], plans), ...table] };
  },
};

async function readUse(redis: Redis, { kind, what, key, limit }: LimitKey): Promise<Use> {
  const fixed = Number.isFinite(limit) ? limit : null;
  if (kind === 'points') {
    const [used, ms] = [Number(await redis.get(key)), await redis.pttl(key)];
    return { what, used, limit: fixed, waitSeconds: Math.max(0, Math.ceil(ms / 1_000)) };
  }
  const [failures, windowEnd, blockedUntil] = (
    await redis.hmget(key, 'failures', 'windowEnd', 'blockedUntil')
  ).map(Number);
  const now = Date.now();
  const used = windowEnd > now ? failures : 0;
  return { what, used, limit: fixed, waitSeconds: Math.max(0, Math.ceil((blockedUntil - now) / 1_000)) };
}
