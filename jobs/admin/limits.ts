import { isIP } from 'node:net';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { redisNow } from '../../storage/servers/redis-now.js';
import {
  limitsOfAddress,
  limitsOfUser,
  pointsPerMinute,
  type LimitKey,
} from '../../storage/users/limit-keys.js';
import { optional, type OptionReader, wrongOption } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { tableOf } from './cli/table-of.js';
import { emailReader, findUser } from './cli/user-option.js';
import type { CommandContext } from './cli/with-servers.js';

const readAddress: OptionReader<string> = (given) => {
  if (isIP(given) !== 0) return given;
  throw wrongOption('address', 'an IP address', given);
};

const options = {
  email: optional({ value: 'address', meaning: 'e-mail address of a user', read: emailReader }),
  address: optional({ value: 'IP', meaning: 'IP address of a client', read: readAddress }),
};

interface Subject {
  email: string | undefined;
  address: string | undefined;
}

interface LimitUse {
  what: string;
  used: number;
  /** null if there is no fixed limit. */
  limit: number | null;
  /** Seconds until the points are back or a sign-in may be tried again; 0: no wait. */
  waitSeconds: number;
}

const reset = defineCommand({
  name: 'reset',
  summary: 'Reset what a user or an address has used of its limits, failed sign-ins included',
  options,
  examples: [
    'npm run admin -- limits reset --email you@example.com',
    'npm run admin -- limits reset --address 192.0.2.1',
  ],
  check({ email, address }) {
    if (email === undefined && address === undefined)
      throw new AppError('invalid_command', '--email or --address is missing');
  },
  async run(values, context) {
    const limits = await limitsOf(values, context);
    const forgotten = await context.redis.del(...limits.map(({ key }) => key));
    return { data: { forgotten }, lines: [`limits reset: ${forgotten}`] };
  },
});

const show = defineCommand({
  name: 'show',
  summary: 'Show the points per minute, and what a user or an address has used of its limits',
  options,
  examples: [
    'npm run admin -- limits show',
    'npm run admin -- limits show --email you@example.com --address 192.0.2.1',
  ],
  async run(values, context) {
    const points = pointsPerMinute(context.settings);
    const limits = await limitsOf(values, context);
    const uses = await Promise.all(limits.map((limit) => readUse(context.redis, limit)));
    const budgets = Object.entries(points).map(([name, n]) => [name, String(n)]);
    const table = uses.length === 0 ? [] : ['', ...tableOf(useTitles, uses.map(rowOf))];
    return {
      data: { points, uses },
      lines: [...tableOf(['caller', 'points per minute'], budgets), ...table],
    };
  },
});

const useTitles = ['counted', 'used', 'limit', 'wait s'];

const rowOf = ({ what, used, limit, waitSeconds }: LimitUse): string[] =>
  [what, used, limit ?? '-', waitSeconds].map(String);

/** The limits of the user and of the address that the options name. */
async function limitsOf(
  { email, address }: Subject,
  { storage, redis, settings }: CommandContext,
): Promise<LimitKey[]> {
  return [
    ...(email === undefined ? [] : await limitsOfUser(redis, await findUser(email, storage), settings)),
    ...(address === undefined ? [] : await limitsOfAddress(redis, address, settings)),
  ];
}

async function readUse(redis: Redis, { kind, what, key, limit }: LimitKey): Promise<LimitUse> {
  const fixed = Number.isFinite(limit) ? limit : null;
  if (kind === 'points') {
    const [used, ms] = [Number(await redis.get(key)), await redis.pttl(key)];
    return { what, used, limit: fixed, waitSeconds: Math.max(0, Math.ceil(ms / 1_000)) };
  }
  const [failures, windowEnd, blockedUntil] = (
    await redis.hmget(key, 'failures', 'windowEnd', 'blockedUntil')
  ).map(Number);
  const now = await redisNow(redis);
  const used = windowEnd > now ? failures : 0;
  return { what, used, limit: fixed, waitSeconds: Math.max(0, Math.ceil((blockedUntil - now) / 1_000)) };
}

export const limitsCommand = defineNoun('limits', {
  summary: 'Points per minute and failed sign-ins',
  examples: [
    'npm run admin -- limits show --email you@example.com',
    'npm run admin -- limits reset --address 192.0.2.1',
  ],
  commands: [reset, show],
});
