import type { Redis } from 'ioredis';
import type { ErrorCode } from '../../compute/model/errors.js';
import { luaNow } from '../servers/redis-now.js';
import { runScript } from '../servers/redis.js';
import { dataWithoutSecrets, textWithoutSecrets } from '../process/without-secrets.js';

/** A dead job: it failed for the last time, and not because of its input. */
export interface DeadLetter {
  /** Derived from the request: a job that fails again has the same id. */
  id: string;
  queue: string;
  name: string;
  /** The input of the job with secrets redacted; null if it was too large to keep. */
  payload: unknown;
  /** Whether the payload is the full input. If not, the job cannot be run again. */
  complete: boolean;
  error: { code: ErrorCode; message: string; stack: string | null };
  /** The trace of the last failure. */
  traceId: string;
  attempts: number;
  node: string;
  at: string;
  /** How many times the job has failed. */
  times: number;
}

/** A failure as it is reported. */
export type JobFailure = Omit<DeadLetter, 'at' | 'times' | 'complete'>;

const letters = 'tidemark:dead';
const order = (queue: string) => `tidemark:dead:${queue}`;

const limitPerQueue = 200;
const longestAgeMs = 14 * 86_400_000;
const payloadLimit = 32 * 1024;
const stackLimit = 4_000;
const messageLimit = 1_000;

/** Stores a letter and drops letters of its queue over the limit or too old. ARGV: id, text, limit, age, queue. */
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

/** Dead jobs (bugs and crashes) in Redis: the last 200 of each queue, for two weeks. */
export class DeadLetters {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Stores a failure. It replaces an earlier one of the same id and raises its count. */
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

  /** The letters of a queue, or of all queues, newest first. */
  async list(queue?: string): Promise<DeadLetter[]> {
    const texts = await this.#redis.hvals(letters);
    return texts
      .map(readLetter)
      .filter((letter) => queue === undefined || letter.queue === queue)
      .sort((one, other) => (one.at < other.at ? 1 : -1));
  }

  /** The number of letters by queue. */
  async counts(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const { queue } of await this.list()) counts.set(queue, (counts.get(queue) ?? 0) + 1);
    return counts;
  }

  async find(id: string): Promise<DeadLetter | null> {
    const text = await this.#redis.hget(letters, id);
    return text === null ? null : readLetter(text);
  }

  /** Deletes the letter; false if there is none. */
  async drop(id: string): Promise<boolean> {
    const letter = await this.find(id);
    if (!letter) return false;
    await this.#redis.multi().hdel(letters, id).zrem(order(letter.queue), id).exec();
    return true;
  }

  /** Deletes all letters, or those older than two weeks, and returns how many. */
  async dropAll(of: 'every' | 'old' = 'every'): Promise<number> {
    const oldest = new Date(Date.now() - longestAgeMs).toISOString();
    const dropped = (await this.list()).filter(({ at }) => of === 'every' || at < oldest);
    for (const { id } of dropped) await this.drop(id);
    return dropped.length;
  }
}

/** Redacts before it truncates: a truncated secret might no longer be recognised. */
const safeText = (text: string, limit: number): string =>
  textWithoutSecrets(text.slice(0, 4 * limit)).slice(0, limit);

/** Parses a stored letter: time in ms, number of failures and JSON, separated by spaces. */
function readLetter(text: string): DeadLetter {
  const [head, atMs, times] = /^(\d+) (\d+) /.exec(text)!;
  const letter = JSON.parse(text.slice(head.length)) as Omit<DeadLetter, 'at' | 'times'>;
  return { ...letter, at: new Date(Number(atMs)).toISOString(), times: Number(times) };
}
