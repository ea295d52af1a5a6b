import type { Redis } from 'ioredis';
import { runScript } from '../servers/redis.js';
import { keptSeconds, liveKey, liveStateKey, luaLatestId, mostKept } from './live-events.js';

/** An event as gateways pass it on; `data` is JSON. */
export interface ToldEvent {
  id: string;
  /** Topic, or `userTarget`. */
  to: string;
  name: string;
  data: string;
}

/** What a reader has missed. */
export interface LivePast {
  /** The id from which on the reader hears of everything. */
  id: string;
  /** Oldest first. */
  events: ToldEvent[];
  /** Topics and users of which events are lost to this reader. */
  lost: string[];
}

/**
 * KEYS: state, the streams. ARGV: seconds and number of events kept, time and number of the last id; none without one. Answers the latest
 * id, and for each stream its entries, or 0 where some are lost.
 */
const pastScript = `${luaLatestId}
local past = {}
local fromMs, fromSeq = tonumber(ARGV[3] or ''), tonumber(ARGV[4] or '')
local beganMs, beganSeq = string.match(kept[2] or id(), '(%d+)-(%d+)')
local isBefore = function(oneMs, oneSeq, otherMs, otherSeq)
  return oneMs < otherMs or (oneMs == otherMs and oneSeq < otherSeq)
end
local isKnown = fromMs and fromMs >= now - ARGV[1] * 1000 and not isBefore(ms, seq, fromMs, fromSeq)
  and not isBefore(fromMs, fromSeq, tonumber(beganMs), tonumber(beganSeq))
for n = 2, #KEYS do
  past[n - 1] = fromMs and not isKnown and 0 or {}
  if isKnown then
    local found = redis.call('XRANGE', KEYS[n], '(' .. ARGV[3] .. '-' .. ARGV[4], '+')
    past[n - 1] = #found >= tonumber(ARGV[2]) and 0 or found
  end
end
return {id(), past}`;

/** Ids of this form alone are compared: longer numbers would not be exact. */
const idForm = /^(\d{1,15})-(\d{1,9})$/;

/** Splits `<to> <name> <data>`. */
function toldEvent(id: string, text: string): ToldEvent {
  const [to, name] = text.split(' ', 2);
  return { id, to, name, data: text.slice(to.length + name.length + 2) };
}

/** The events in a message of `liveChannel`. */
export const toldEvents = (message: string): ToldEvent[] =>
  message.split('\n').map((line) => {
    const end = line.indexOf(' ');
    return toldEvent(line.slice(0, end), line.slice(end + 1));
  });

/**
 * What was told to these topics and users since the last id that a reader has heard of; null: nothing, the reader begins now. An id that is
 * no id, or of no time that is kept, leads to `lost`. Throws `redis_unavailable`.
 */
export async function livePast(
  redis: Redis,
  to: readonly string[],
  lastId: string | null,
): Promise<LivePast> {
  const form = lastId === null ? null : (idForm.exec(lastId)?.slice(1) ?? ['0', '0']);
  const keys = [liveStateKey, ...to.map(liveKey)];
  const args = [keptSeconds, mostKept, ...(form ?? [])];
  const [id, past] = (await runScript(redis, pastScript, keys, args)) as [
    string,
    (0 | [string, [string, string]][])[],
  ];
  const events = past.flatMap((found) =>
    found === 0 ? [] : found.map(([at, [, text]]) => toldEvent(at, text)),
  );
  events.sort((left, right) => compareLiveIds(left.id, right.id));
  return { id, events, lost: to.filter((_, n) => past[n] === 0) };
}

/** Negative where the first id is the older one. */
export function compareLiveIds(left: string, right: string): number {
  const [leftMs, leftSeq] = left.split('-').map(Number);
  const [rightMs, rightSeq] = right.split('-').map(Number);
  return leftMs - rightMs || leftSeq - rightSeq;
}
