import type { Redis } from 'ioredis';
import { resultScripts } from './result-scripts.js';
import { batchedCalls } from '../../storage/process/batched-calls.js';
import { openHead, type BatchPosition, type JobProgress, type Timings } from './wire.js';

/** The answer to a claim: the stored result; `mine`: the claimer computes the item; `other`: another run computes it and replies. */
export type ItemClaim = { result: string } | 'mine' | 'other';

/** The state of an item: its result, `claimed` by a run, or null. */
export type Stored = { result: string } | 'claimed' | null;

/** Where a gateway waits for an item: its channel, and the position in its batch. */
export interface ReplyAddress {
  channel: string;
  position: BatchPosition;
}

/** A result to store and send. */
export interface ComputedResult {
  id: string;
  holder: string;
  text: string;
  keepMs: number;
  address: ReplyAddress;
  timings: Timings;
}

const keys = ['tidemark:results', 'tidemark:results:until', 'tidemark:results:bytes'];
const claims = 'tidemark:claim:';
const waiting = 'tidemark:waiting:';

/** A claim that is not renewed ends after this time (ms), because its node has died. */
const claimMs = 5_000;

/** How long (ms) a waiting gateway is kept: no request waits longer. */
const askerMs = 180_000;

/** The most claims or results of one script: Redis runs nothing else meanwhile. */
const maxCount = 64;
const maxCharacters = 262_144;

type Script = (...args: (string | number)[]) => Promise<unknown>;

/**
 * The results of jobs in Redis, by item id, for all gateways and nodes: up to a number of bytes, until they expire. Claims
 * ensure that an item is computed once and that its result goes to every gateway that waits for it.
 */
export class ResultStore {
  readonly #scripts: Record<keyof typeof resultScripts, Script>;
  readonly #limitBytes: number;
  readonly #claims = batchedCalls<{ id: string; holder: string; address: ReplyAddress }, ItemClaim>({
    send: (claims) => this.#claimAll(claims),
    maxCount,
  });
  readonly #results = batchedCalls<ComputedResult, void>({
    send: (computed) => this.#finishAll(computed),
    maxCount,
    maxSize: maxCharacters,
    sizeOf: ({ text }) => text.length,
  });

  constructor(redis: Redis, limitBytes: number) {
    for (const [name, lua] of Object.entries(resultScripts))
      redis.defineCommand(name, { numberOfKeys: keys.length, lua });
    this.#scripts = redis as never;
    this.#limitBytes = limitBytes;
  }

  /** The stored results, null where there is none. */
  async read(ids: readonly string[]): Promise<(string | null)[]> {
    return (await this.#scripts.tidemarkRead(...keys, ...ids)) as (string | null)[];
  }

  /** The state of each item. */
  async look(ids: readonly string[]): Promise<Stored[]> {
    const found = (await this.#scripts.tidemarkLook(...keys, claims, ...ids)) as (string | number | null)[];
    return found.map((each) =>
      typeof each === 'string' ? { result: each } : each === null ? null : 'claimed',
    );
  }

  /** Claims an item for `holder`, a name of the claim. If another run has it, the result will be sent to `address`. */
  claim(id: string, holder: string, address: ReplyAddress): Promise<ItemClaim> {
    return this.#claims({ id, holder, address });
  }

  /** Deletes expired results and returns how many. Without it they are deleted when new results are stored. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let last = -1; last !== 0; swept += last) last = Number(await this.#scripts.tidemarkSweep(...keys));
    return swept;
  }

  /** Extends claims: item ids by holder. */
  async renew(holding: ReadonlyMap<string, string>): Promise<void> {
    const pairs = [...holding].flatMap(([holder, id]) => [id, holder]);
    if (pairs.length > 0) await this.#scripts.tidemarkRenew(...keys, claims, claimMs, ...pairs);
  }

  /** Gives a claim back without a result. The gateways that wait for the item ask again. */
  async release(id: string, holder: string): Promise<void> {
    await this.#scripts.tidemarkRelease(...keys, claims, waiting, id, holder);
  }

  /** Stores a result, gives the claim back, and sends the result to all gateways that wait for it. */
  finish(computed: ComputedResult): Promise<void> {
    return this.#results(computed);
  }

  /** Sends progress to the gateways that wait for an item which another gateway requested. */
  async sendProgress(id: string, progress: JobProgress): Promise<void> {
    await this.#scripts.tidemarkTell(...keys, waiting, id, JSON.stringify(progress));
  }

  async #claimAll(
    asked: readonly { id: string; holder: string; address: ReplyAddress }[],
  ): Promise<ItemClaim[]> {
    const each = asked.flatMap(({ id, holder, address: { channel, position } }) => [
      id,
      holder,
      channel,
      openHead(position, {}),
    ]);
    const given = await this.#scripts.tidemarkClaim(...keys, claims, waiting, claimMs, askerMs, ...each);
    return (given as (string | number)[]).map((found) =>
      typeof found === 'string' ? { result: found } : found === 1 ? 'mine' : 'other',
    );
  }

  async #finishAll(computed: readonly ComputedResult[]): Promise<void[]> {
    const each = computed.flatMap(({ id, holder, text, keepMs, address: { channel, position }, timings }) => [
      id,
      holder,
      text,
      text.length,
      keepMs,
      channel,
      openHead(position, timings),
    ]);
    await this.#scripts.tidemarkFinish(...keys, claims, waiting, this.#limitBytes, ...each);
    return computed.map(() => undefined);
  }
}
