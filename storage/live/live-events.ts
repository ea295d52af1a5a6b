import type { Redis } from 'ioredis';
import { luaNow } from '../servers/redis-now.js';
import { runScript } from '../servers/redis.js';

/** What everybody may hear of. Prices are no events: gateways read the latest (`prices.ts`). */
export type PublicTopic = 'flips' | 'candles';

/** An event for the readers of a topic, or for those of one user. */
export interface LiveEvent {
  to: PublicTopic | { userId: string };
  /** Its name in the stream. */
  name: 'flip' | 'candle' | 'position' | 'signal' | 'order';
  data: object;
}

/** Tells the gateways of events. Never rejects: an event that Redis does not take is lost, and pages ask again by themselves. */
export type TellLive = (events: readonly LiveEvent[]) => Promise<void>;

/** The Redis channel on which gateways hear of events: a line for each, `<id> <to> <name> <data>`. */
export const liveChannel = 'tidemark:live';

/** The Redis hash that holds the latest id, and the id since which events are kept. */
export const liveStateKey = 'tidemark:live:ids';

/** The Redis stream that keeps the events of a topic, or of a user. */
export const liveKey = (to: string): string => `tidemark:live:${to}`;

export const userTarget = (userId: string): string => `user:${userId}`;

/** How long events are kept for readers that come back, and how many of a topic or user. */
export const keptSeconds = 600;
export const mostKept = 500;

/** The start of a script on `liveStateKey`: `ms` and `seq` become the latest id, whose time is not before that of Redis. */
export const luaLatestId = `${luaNow}
local kept = redis.call('HMGET', KEYS[1], 'last', 'began')
local ms, seq = string.match(kept[1] or '0-0', '(%d+)-(%d+)')
ms, seq = tonumber(ms), tonumber(seq)
if now > ms then ms, seq = now, 0 end
local id = function() return string.format('%.0f-%.0f', ms, seq) end
if not kept[2] then redis.call('HSET', KEYS[1], 'began', id()) end`;

/**
 * Keeps events and tells of them, in one order for all topics and users: ids are unique, so that one id says what a reader has heard
 * of all of them. KEYS: state, the stream of each event. ARGV: channel, seconds and number of events kept, each event.
 */
const tellScript = `${luaLatestId}
local lines = {}
for n = 2, #KEYS do
  seq = seq + 1
  redis.call('XADD', KEYS[n], 'MAXLEN', ARGV[3], id(), 'event', ARGV[n + 2])
  redis.call('EXPIRE', KEYS[n], ARGV[2])
  lines[#lines + 1] = id() .. ' ' .. ARGV[n + 2]
end
redis.call('HSET', KEYS[1], 'last', id())
redis.call('PUBLISH', ARGV[1], table.concat(lines, '\\n'))`;

/** Lua takes a few thousand arguments at once, and Redis serves no other client meanwhile. */
const toldAtOnce = 500;

export const tellLive =
  (redis: Redis): TellLive =>
  async (events) => {
    for (let from = 0; from < events.length; from += toldAtOnce) {
      const some = events.slice(from, from + toldAtOnce).map(({ to, name, data }) => {
        const target = typeof to === 'string' ? to : userTarget(to.userId);
        return { key: liveKey(target), text: `${target} ${name} ${JSON.stringify(data)}` };
      });
      const keys = [liveStateKey, ...some.map(({ key }) => key)];
      const args = [liveChannel, keptSeconds, mostKept, ...some.map(({ text }) => text)];
      await runScript(redis, tellScript, keys, args).catch(() => undefined);
    }
  };
