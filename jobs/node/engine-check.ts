import { DelayedError, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { engineVersion } from '../../compute/model/engine-version.js';
import { listNodes, type SeenNode } from '../../storage/cluster/nodes.js';
import type { RequestBatch } from '../requests/wire.js';

/** The list of nodes is read again after this time; heartbeats come every two seconds. */
const readAgainMs = 1_000;
/** How long a batch waits for a node of its engine before the nodes see it again: longer each time. */
const firstPauseMs = 25;
const longestPauseMs = 1_000;
/**
 * For this share of its time limit a batch waits for nodes of its engine, which may be busy; while it is given back they take others
 * instead. After that the answer of another engine is better than none.
 */
export const ownEngineShare = 1 / 6;

/**
 * During a rolling update nodes of two engine versions share the queues. A batch of another engine is given back for a node of
 * that engine. When none is alive, or none has taken it for a while, it is computed here, as a request of this engine.
 */
export class EngineCheck {
  readonly #redis: Redis;
  #nodes: Promise<SeenNode[]> = Promise.resolve([]);
  #readAt = -Infinity;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Whether the batch was requested of this engine. */
  isOwn({ engine }: RequestBatch): boolean {
    return engine === engineVersion;
  }

  /** Whether a live node takes batches of that engine from the queue. */
  async hasNode(queue: string, engine: string): Promise<boolean> {
    if (performance.now() - this.#readAt >= readAgainMs) {
      this.#readAt = performance.now();
      // If Redis does not answer, the batch is given back rather than computed by another engine.
      this.#nodes = listNodes(this.#redis);
    }
    const nodes = await this.#nodes.catch(() => null);
    return (
      nodes === null ||
      nodes.some((node) => !node.lost && node.engine === engine && node.queues.includes(queue))
    );
  }
}

/** Gives a batch back to its queue: nodes get it again after a pause. Always throws the error that BullMQ expects then. */
export async function giveBack(queued: QueuedJob<RequestBatch>, token: string | undefined): Promise<never> {
  const { returned = 0 } = queued.data;
  await queued.updateData({ ...queued.data, returned: returned + 1 });
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** returned);
  // The first worker whose clock reaches that time moves it to the waiting jobs, so clocks may differ.
  await queued.moveToDelayed(Date.now() + pauseMs, token);
  throw new DelayedError();
}
