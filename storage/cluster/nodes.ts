import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { luaNow } from '../servers/lua-now.js';
import { measureLoad, type ProcessLoad } from '../process/process-load.js';
import { computeQueues, scheduleQueueName, type AnyQueueName } from './queue-names.js';
import { runScript } from '../servers/redis.js';

export const nodeRoles = ['compute', 'gateway', 'market'] as const;

export type NodeRole = (typeof nodeRoles)[number];

/** Threads for what somebody waits for, and for long work. */
export interface ThreadCounts {
  interactive: number;
  background: number;
}

/** What a process has to do now. */
export interface NodeWork {
  /** Its threads, and how many of them compute; null where it has none. */
  threads: ThreadCounts | null;
  busy: ThreadCounts | null;
  /**
   * What it has in hand: questions that a compute node computes or a gateway waits for, runs of schedules and trials of
   * keys.
   */
  running: number;
}

/** A process of the service, as it tells of itself. */
export interface NodeReport extends NodeWork {
  id: string;
  role: NodeRole;
  host: string;
  pid: number;
  version: string;
  startedAt: string;
  /** The queues it takes from. */
  queues: string[];
  /** Since the last heartbeat. */
  load: ProcessLoad;
}

/** A process as it was last heard of. */
export interface SeenNode extends NodeReport {
  lastHeartbeat: string;
  /** It has stopped to tell of itself without having said goodbye. */
  lost: boolean;
}

/** What a process of each role takes from unless it is told otherwise. */
const queuesOf: Readonly<Record<NodeRole, readonly string[]>> = {
  compute: computeQueues,
  gateway: [],
  market: ['exchanges', scheduleQueueName],
};

/** Who takes the jobs of a queue. */
export const workerRole = (queue: AnyQueueName): NodeRole =>
  nodeRoles.find((role) => queuesOf[role].includes(queue))!;

/** What one of a version that did not say took from: no market worker tried keys then. */
const unsaidQueuesOf: typeof queuesOf = { ...queuesOf, market: [scheduleQueueName] };

const key = 'tidemark:nodes';
const aliveMs = 6_000;
const lostMs = 60_000;
const heartbeatMs = 2_000;
const beatsBetweenDrops = 30;
const goodbyeMs = 1_000;

/**
 * Both keep to the clock of Redis, which is the same for all. Now and then a beat also drops those that have been lost for a
 * minute: with a thousand nodes, looking at all of them at each beat would be a million looks every two seconds.
 */
const beatScript = `${luaNow}
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ' ' .. ARGV[2])
if ARGV[4] == 'no' then return end
local all = redis.call('HGETALL', KEYS[1])
for n = 1, #all, 2 do
  if tonumber(string.match(all[n + 1], '^%d+')) < now - tonumber(ARGV[3]) then redis.call('HDEL', KEYS[1], all[n]) end
end`;
const listScript = `${luaNow}
return {string.format('%.0f', now), redis.call('HVALS', KEYS[1])}`;

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Host and process, as they stand beside what a node did. */
export const nodeName = (): string => `${hostname()}:${process.pid}`;

/**
 * Tells of this process every 2 s until it is stopped. One that no longer does counts as lost after 6 s, and is forgotten
 * a minute later.
 */
export function announceNode(
  redis: Redis,
  role: NodeRole,
  work: () => NodeWork,
  queues: readonly string[] = queuesOf[role],
): { stop(): Promise<void> } {
  const id = randomUUID();
  const startedAt = new Date().toISOString();
  const identity = { id, role, host: hostname(), pid: process.pid, version, startedAt, queues: [...queues] };
  const load = measureLoad();
  let beats = 0;
  const beat = async () => {
    const node: NodeReport = { ...identity, ...work(), load: load() };
    const drops = beats++ % beatsBetweenDrops === 0 ? 'yes' : 'no';
    const args = [id, JSON.stringify(node), aliveMs + lostMs, drops];
    await runScript(redis, beatScript, key, args).catch(() => undefined);
  };
  let beating: Promise<void> | null = null;
  // One at a time: while Redis is away they would pile up.
  const next = () => {
    beating ??= beat().finally(() => (beating = null));
  };
  next();
  const timer = setInterval(next, heartbeatMs);
  const sayGoodbye = async () => {
    await beating;
    await redis.hdel(key, id).catch(() => undefined);
  };
  return {
    async stop() {
      clearInterval(timer);
      // A Redis that is away finds out by itself.
      await Promise.race([sayGoodbye(), pause(goodbyeMs, undefined, { ref: false })]);
    },
  };
}

/** Every process that is alive or was lost within the last minute, by role and start. Throws `redis_unavailable`. */
export async function listNodes(redis: Redis): Promise<SeenNode[]> {
  const [now, values] = (await runScript(redis, listScript, key, [])) as [string, string[]];
  return values
    .map((value) => readBeat(value, Number(now)))
    .filter((node) => node !== null)
    .sort(({ role, startedAt }, other) =>
      `${role} ${startedAt}` < `${other.role} ${other.startedAt}` ? -1 : 1,
    );
}

function readBeat(value: string, nowMs: number): SeenNode | null {
  const space = value.indexOf(' ');
  const beatMs = Number(value.slice(0, space));
  if (nowMs - beatMs > aliveMs + lostMs) return null;
  const report = JSON.parse(value.slice(space + 1)) as NodeReport;
  const queues = (report as Partial<NodeReport>).queues ?? [...unsaidQueuesOf[report.role]];
  return { ...report, queues, lastHeartbeat: new Date(beatMs).toISOString(), lost: nowMs - beatMs > aliveMs };
}

/** How many of the processes that are alive take from the queue. */
export const countWorkers = (queue: string, nodes: readonly SeenNode[]): number =>
  nodes.filter(({ lost, queues }) => !lost && queues.includes(queue)).length;
