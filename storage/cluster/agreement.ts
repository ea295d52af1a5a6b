import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { RepeatedWork } from '../process/repeated-work.js';
import { luaNow } from '../servers/redis-now.js';
import { runScript } from '../servers/redis.js';

/** Something that all live processes must have in common, as one of them sees it on one server. */
interface Claim {
  redis: Redis;
  key: string;
  value: string;
  /** The sentence about a live process with another value. */
  refusal: (other: string) => string;
}

const heldMs = 65_000;
const everyMs = 30_000;
/** A server after the first may have lost its data: until it is claimed anew, starts are refused. */
const everyMsOfSeveral = 5_000;
/** For how long a start waits for another one, which has claimed one server and not yet the next. */
const triesOfStart = 10;
const betweenTriesMs = 250;

/** Claims a value for a time. At a start another value of a live process is answered instead; else how many others have the same one. */
const claimScript = `${luaNow}
local others = 0
local all = ARGV[4] == 'start' and redis.call('HGETALL', KEYS[1]) or {}
for n = 1, #all, 2 do
  local till, value = string.match(all[n + 1], '^(%d+) (.*)$')
  if tonumber(till) < now then redis.call('HDEL', KEYS[1], all[n])
  elseif value ~= ARGV[2] then return value
  elseif all[n] ~= ARGV[1] then others = others + 1 end
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now + ARGV[3]) .. ' ' .. ARGV[2])
return others`;

const stopAll =
  'stop all processes before you change it (one that was killed counts for a minute), or correct it here';

/**
 * Holds, until it is closed, that all live processes name the same Redis servers in the same order, because requests are divided among
 * them by place, and the same MARKET. Throws `invalid_settings` for a process that differs from those that live. Two processes meet if
 * they have one server in common.
 */
export async function holdAgreement(
  connections: readonly Redis[],
  market: string | undefined,
): Promise<{ close(): Promise<void> }> {
  const id = randomUUID();
  const count = connections.length;
  const places = connections.map((redis, n): Claim => {
    const value = `${n + 1} of ${count}`;
    const refusal = (other: string) =>
      `server ${value} in REDIS_URL is ${other} for a process that is alive: all must name the same servers in the same order; ${stopAll}`;
    return { redis, key: 'tidemark:places', value, refusal };
  });
  const markets: Claim[] = [];
  if (market !== undefined)
    markets.push({
      redis: connections[0],
      key: 'tidemark:market',
      value: market,
      refusal: (other) => `MARKET is ${market} here and ${other} for a process that is alive; ${stopAll}`,
    });
  const claims = [...places, ...markets];
  const claim = (when: 'start' | 'later') =>
    Promise.all(
      claims.map(({ redis, key, value }) => runScript(redis, claimScript, key, [id, value, heldMs, when])),
    );
  const release = async () =>
    void (await Promise.allSettled(claims.map(({ redis, key }) => redis.hdel(key, id))));

  const refusalOf = async (): Promise<string | undefined> => {
    for (let n = 0; ; n++) {
      // One that takes no writes, because its disk is full or its primary changes, is waited for by those that start: see /readyz.
      const answers = await claim('start').catch(() => null);
      if (answers === null) return undefined;
      const other = answers.findIndex((answer) => typeof answer === 'string');
      if (other !== -1) return claims[other].refusal(answers[other] as string);
      const unused = answers.findIndex((others, place) => place < count && others === 0);
      if (unused === -1 || answers.slice(0, count).every((others) => others === 0)) return undefined;
      if (n === triesOfStart) return places[unused].refusal('none of the servers');
      await pause(betweenTriesMs);
    }
  };
  const refused = await refusalOf();
  if (refused !== undefined) {
    await release();
    throw new AppError('invalid_settings', `settings: ${refused}`);
  }
  const held = new RepeatedWork(
    async () => void (await claim('later')),
    count === 1 ? everyMs : everyMsOfSeveral,
    () => undefined,
  );
  return {
    async close() {
      await held.close();
      await release();
    },
  };
}
