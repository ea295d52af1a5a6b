import type { Redis } from 'ioredis';
import { resultScripts } from './result-scripts.js';
import { batchedCalls } from '../batched-calls.js';
import { openHead, type BatchPosition, type JobProgress, type Timings } from './wire.js';

/**
 * What a node finds when it wants to compute an item: the result, or that it is the one to compute it, or that another
 * is, who will tell the gateway that asked.
 */
export type ClaimResult = { result: string } | 'mine' | 'other';

/** What a gateway finds of an item: its result, whether somebody computes it, or nothing. */
export type Stored = { result: string } | 'claimed' | null;

/** Where an item is waited for: the channel of the gateway, and the item's place in what it sent. */
export interface ReplyAddress {
  channel: string;
  position: BatchPosition;
}

/** A result that was computed, whoever asked for it, and how long it is good. */
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
const askers = 'tidemark:waiting:';

/** A node that died lets go of what it was computing after this time. */
const claimMs = 5_000;

/** Nobody waits for longer than this. */
const askerMs = 180_000;

/** How many claims or results go to Redis in one script, which others wait for. */
const most = 64;
const mostCharacters = 262_144;

type Script = (...args: (string | number)[]) => Promise<unknown>;

/**
 * Results of jobs by the id of what was asked, in Redis, for every gateway and node: within a limit of bytes, until they
 * are over. And claims, so that what several ask at once is computed by one, who tells all of them.
 */
export class ResultStore {
  readonly #scripts: Record<keyof typeof resultScripts, Script>;
  readonly #limitBytes: number;
  readonly #claims = batchedCalls<{ id: string; holder: string; address: ReplyAddress }, ClaimResult>({
    send: (asks) => this.#claimAll(asks),
    maxCount: most,
  });
  readonly #results = batchedCalls<ComputedResult, void>({
    send: (computed) => this.#finishAll(computed),
    maxCount: most,
    maxSize: mostCharacters,
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

  /** What is known of each. */
  async look(ids: readonly string[]): Promise<Stored[]> {
    const found = (await this.#scripts.tidemarkLook(...keys, claims, ...ids)) as (string | number | null)[];
    return found.map((each) =>
      typeof each === 'string' ? { result: each } : each === null ? null : 'claimed',
    );
  }

  /** The result if there is one; else whether `holder` is now the one that computes it. */
  claim(id: string, holder: string, address: ReplyAddress): Promise<ClaimResult> {
    return this.#claims({ id, holder, address });
  }

  /** Drops the results that are over, which else go when new ones come, and tells how many. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let last = -1; last !== 0; swept += last) last = Number(await this.#scripts.tidemarkSweep(...keys));
    return swept;
  }

  /** Keeps the claims of those that are still computing, by holder. */
  async renew(holding: ReadonlyMap<string, string>): Promise<void> {
    const pairs = [...holding].flatMap(([holder, id]) => [id, holder]);
    if (pairs.length > 0) await this.#scripts.tidemarkRenew(...keys, claims, claimMs, ...pairs);
  }

  /** Gives the claim back without a result: whoever else waits for it asks again. */
  async release(id: string, holder: string): Promise<void> {
    await this.#scripts.tidemarkRelease(...keys, claims, askers, id, holder);
  }

  /** Stores the result, gives the claim back, and tells whoever waits. */
  finish(computed: ComputedResult): Promise<void> {
    return this.#results(computed);
  }

  /** Tells those who wait for another's computation how far it has come. */
  async sendProgress(id: string, progress: JobProgress): Promise<void> {
    await this.#scripts.tidemarkTell(...keys, askers, id, JSON.stringify(progress));
  }

  async #claimAll(
    asks: readonly { id: string; holder: string; address: ReplyAddress }[],
  ): Promise<ClaimResult[]> {
    const each = asks.flatMap(({ id, holder, address: { channel, position } }) => [
      id,
      holder,
      channel,
      openHead(position, {}),
    ]);
    const given = await this.#scripts.tidemarkClaim(...keys, claims, askers, claimMs, askerMs, ...each);
    return (given as (string | number)[]).map((found) =>
      typeof found === 'string' ? { result: found } : found === 1 ? 'mine' : 'other',
    );
  }

  async #finishAll(computed: readonly ComputedResult[]): Promise<void[]> {
    const each = computed.flatMap(({ id, holder, text, keepMs, address: { channel, position }, timings }) => [
      ...[id, holder, text, text.length, keepMs],
      ...[channel, openHead(position, timings)],
    ]);
    await this.#scripts.tidemarkFinish(...keys, claims, askers, this.#limitBytes, ...each);
    return computed.map(() => undefined);
  }
}
