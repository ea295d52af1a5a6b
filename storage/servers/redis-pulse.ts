import type { Redis } from 'ioredis';
import { RepeatedWork } from '../process/repeated-work.js';

const beatMs = 2_000;

/** A Lua script, as EVAL takes it, that goes with each beat. */
export interface PulsePart {
  script: string;
  keys: readonly string[];
  args: () => readonly (string | number)[];
  heard?: (answer: unknown) => unknown;
}

/** What a script has last answered, at most two seconds ago while Redis answers. */
export interface HeardAnswer<Answer> {
  /** The last answer; waits for the first one. */
  value(): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * The scripts that a process repeats every two seconds, as one command on one connection: idle processes are the first limit of
 * a Redis that many share. A beat that fails is left out.
 */
class RedisPulse {
  readonly #redis: Redis;
  readonly #parts = new Set<PulsePart>();
  #beating: RepeatedWork | undefined;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Runs the part at once, and then with each beat. The result takes it out; it resolves when no beat runs. */
  add(part: PulsePart): () => Promise<void> {
    const isFirst = this.#parts.size === 0;
    this.#parts.add(part);
    if (isFirst)
      this.#beating = new RepeatedWork(
        () => this.#beat([...this.#parts]),
        beatMs,
        () => undefined,
      );
    else void this.#beat([part]).catch(() => undefined);
    return async () => {
      this.#parts.delete(part);
      if (this.#parts.size > 0) return;
      await this.#beating?.close();
    };
  }

  follow<Answer>(part: Omit<PulsePart, 'heard'>): HeardAnswer<Answer> {
    let first!: (answer: Answer) => void;
    let value = new Promise<Answer>((resolve) => (first = resolve));
    const heard = (answer: unknown) => {
      first(answer as Answer);
      value = Promise.resolve(answer as Answer);
    };
    return { value: () => value, stop: this.add({ ...part, heard }) };
  }

  async #beat(parts: readonly PulsePart[]): Promise<void> {
    const keys: string[] = [];
    const args: string[] = [];
    const calls = parts.map((part, n) => {
      const [firstKey, firstArg] = [keys.length + 1, args.length + 1];
      keys.push(...part.keys);
      args.push(...part.args().map(String));
      const given = `{unpack(KEYS, ${firstKey}, ${keys.length})}, {unpack(ARGV, ${firstArg}, ${args.length})}`;
      return `answers[${n + 1}] = (function(KEYS, ARGV)\n${part.script}\nend)(${given}) or false`;
    });
    const script = ['local answers = {}', ...calls, 'return answers'].join('\n');
    const answers = (await this.#redis.eval(script, keys.length, ...keys, ...args)) as unknown[];
    for (const [n, { heard }] of parts.entries()) heard?.(answers[n]);
  }
}

const pulses = new WeakMap<Redis, RedisPulse>();

/** The pulse of a connection. */
export function pulseOf(redis: Redis): RedisPulse {
  const known = pulses.get(redis) ?? new RedisPulse(redis);
  pulses.set(redis, known);
  return known;
}
