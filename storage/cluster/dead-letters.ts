import type { Redis } from 'ioredis';
import type { ErrorCode } from '../../compute/model/errors.js';
import { luaNow } from '../servers/lua-now.js';
import { runScript } from '../servers/redis.js';
import { dataWithoutSecrets, textWithoutSecrets } from '../process/without-secrets.js';

/** A job that failed for good, and not by a fault of whoever asked. */
export interface DeadLetter {
  /** The same for the same question, however often it fails. */
  id: string;
  queue: string;
  name: string;
  /** What was asked, secrets hidden; null where it was too large to be kept. */
  payload: unknown;
  /** Whether the payload is what was asked: else it cannot run again. */
  complete: boolean;
  error: { code: ErrorCode; message: string; stack: string | null };
  /** Of the last failure. */
  traceId: string;
  attempts: number;
  node: string;
  at: string;
  /** How often it has failed. */
  times: number;
}

/** What is told of a failure. */
export type JobFailure = Omit<DeadLetter, 'at' | 'times' | 'complete'>;

const letters = 'tidemark:dead';
const order = (queue: string) => `tidemark:dead:${queue}`;

const limitPerQueue = 200;
const longestAgeMs = 14 * 86_400_000;
const payloadLimit = 32 * 1024;
const stackLimit = 4_000;
const messageLimit = 1_000;

/** Keeps a letter, and drops those of its queue that are too many or too old. ARGV: id, text, limit, age, queue. */
const addScript = `${luaNow}
local order = KEYS[1] .. ':' .. ARGV[5]
local known = redis.call('HGET', KEYS[1], ARGV[1])
local times = known and tonumber(string.match(known, '^%d+ (%d+)')) or 0
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ' ' .. (times + 1) .. ' ' .. ARGV[2])
redis.call('ZADD', order, now, ARGV[1])
local old = redis.call('ZRANGEBYSCORE', order, '-inf', now - ARGV[4])
for _, id in ipairs(redis.call('ZRANGE', order, 0, -1 - ARGV[3])) do table.insert(old, id) end
for _, id in ipairs(old) do
  redis.call('ZREM', order, id)
  redis.call('HDEL', KEYS[1], id)
end`;

/** Letters of jobs that failed by a bug or a crash, in Redis: the last 200 of each queue, for two weeks. */
export class DeadLetters {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Keeps a failure; one of a question that is kept already takes its place and counts on. */
  async add({ queue, id, payload, error, ...rest }: JobFailure): Promise<void> {
    const safe = dataWithoutSecrets(payload);
    const fits = JSON.stringify(safe.data ?? null).length <= payloadLimit;
    const letter: Omit<DeadLetter, 'at' | 'times'> = {
      ...rest,
      id,
      queue,
      payload: fits ? safe.data : null,
      complete: fits && !safe.changed,
      error: {
        code: error.code,
        message: safeText(error.message, messageLimit),
        stack: error.stack === null ? null : safeText(error.stack, stackLimit),
      },
    };
    const args = [id, JSON.stringify(letter), limitPerQueue, longestAgeMs, queue];
    await runScript(this.#redis, addScript, letters, args);
  }

  /** The letters of a queue, or of all, the latest first. */
  async list(queue?: string): Promise<DeadLetter[]> {
    const texts = await this.#redis.hvals(letters);
    return texts
      .map(readLetter)
      .filter((letter) => queue === undefined || letter.queue === queue)
      .sort((one, other) => (one.at < other.at ? 1 : -1));
  }

  /** How many letters each queue has. */
  async counts(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const { queue } of await this.list()) counts.set(queue, (counts.get(queue) ?? 0) + 1);
    return counts;
  }

  async find(id: string): Promise<DeadLetter | null> {
    const text = await this.#redis.hget(letters, id);
    return text === null ? null : readLetter(text);
  }

  /** Throws the letter away; false if there is none. */
  async drop(id: string): Promise<boolean> {
    const letter = await this.find(id);
    if (!letter) return false;
    await this.#redis.multi().hdel(letters, id).zrem(order(letter.queue), id).exec();
    return true;
  }

  /** Throws all letters away, or those that are too old, and tells how many. */
  async dropAll(of: 'every' | 'old' = 'every'): Promise<number> {
    const oldest = new Date(Date.now() - longestAgeMs).toISOString();
    const dropped = (await this.list()).filter(({ at }) => of === 'every' || at < oldest);
    for (const { id } of dropped) await this.drop(id);
    return dropped.length;
  }
}

/** Hidden first: what is cut in the middle may not look like a secret any more. */
const safeText = (text: string, limit: number): string =>
  textWithoutSecrets(text.slice(0, 4 * limit)).slice(0, limit);

/** What is stored: when (ms), how often, and the rest as JSON, with a space between. */
function readLetter(text: string): DeadLetter {
  const [head, atMs, times] = /^(\d+) (\d+) /.exec(text)!;
  const letter = JSON.parse(text.slice(head.length)) as Omit<DeadLetter, 'at' | 'times'>;
  return { ...letter, at: new Date(Number(atMs)).toISOString(), times: Number(times) };
}
