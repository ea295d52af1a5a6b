import type { Redis } from 'ioredis';

/** A process that runs jobs, as it tells of itself. */
export interface ComputeNode {
  id: string;
  threads: number;
  startedAt: string;
}

const prefix = 'tidemark:node:';
const aliveMs = 6_000;
const announceMs = 2_000;

/** Tells of a node until stopped; a node that no longer does is forgotten after 6 s. */
export function announceNode(redis: Redis, node: ComputeNode): { stop(): Promise<void> } {
  const announce = () =>
    redis.set(prefix + node.id, JSON.stringify(node), 'PX', aliveMs).catch(() => undefined);
  void announce();
  const timer = setInterval(() => void announce(), announceMs);
  return {
    async stop() {
      clearInterval(timer);
      await redis.del(prefix + node.id).catch(() => undefined);
    },
  };
}

/** The nodes that are alive. */
export async function listNodes(redis: Redis): Promise<ComputeNode[]> {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1_000);
    keys.push(...found);
    cursor = next;
  } while (cursor !== '0');
  const values = keys.length === 0 ? [] : await redis.mget(keys);
  return values.filter((value) => value !== null).map((value) => JSON.parse(value) as ComputeNode);
}
