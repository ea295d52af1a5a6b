import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { engineVersion } from '../../compute/model/engine-version.js';
import { version } from '../process/version.js';
import { luaNow } from '../servers/redis-now.js';
import { queuesOfRole } from './queues.js';
import { pulseOf } from '../servers/redis-pulse.js';
import { runScript } from '../servers/redis.js';
import { performance } from 'node:perf_hooks';

/** The load of a process: CPU use in cores, and the share of time in which its event loop was busy (0 to 1). */
interface ProcessLoad {
  cpu: number;
  eventLoop: number;
}

/** A function that returns the load since it was last called. */
function measureLoad(): () => ProcessLoad {
  let at = performance.now();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  return () => {
    const [lastAt, last] = [at, loop];
    const { user, system } = process.cpuUsage(cpu);
    [at, cpu, loop] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()];
    const { utilization } = performance.eventLoopUtilization(loop, last);
    return { cpu: round((user + system) / 1_000 / Math.max(1, at - lastAt)), eventLoop: round(utilization) };
  };
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;

export const nodeRoles = ['compute', 'gateway', 'market', 'signals'] as const;

export type NodeRole = (typeof nodeRoles)[number];

/** Numbers of threads: `interactive` for short jobs that a caller waits for, `background` for long ones. */
export interface ThreadCounts {
  interactive: number;
  background: number;
}

/** A job that a node runs. */
export interface RunningJob {
  /** Its batch and its place in it: `<batch> <index>`. */
  id: string;
  name: string;
  /** The x-request-id of the request for it. */
  traceId: string;
  /** How long it has run, in ms. */
  ms: number;
  /** The present step and the share that is done, 0 to 1; null if the job does not report them. */
  phase: string | null;
  fraction: number | null;
}

/** The present work of a process. */
export interface NodeWork {
  /** All its threads, and those that compute now; null for a process without compute threads. */
  threads: ThreadCounts | null;
  busy: ThreadCounts | null;
  /** Work in progress: requests that a node computes or a gateway waits for, schedule runs and tests of exchange keys. */
  running: number;
  /** The jobs that have run longest, for operators; absent for processes that run none. */
  jobs?: RunningJob[];
}

/** A process of the service as it reports itself. */
export interface NodeReport extends NodeWork {
  id: string;
  role: NodeRole;
  host: string;
  pid: number;
  version: string;
  engine: string;
  startedAt: string;
  /** The queues whose jobs it runs. */
  queues: string[];
  /** The places in REDIS_URL of the servers that it takes jobs from; absent for all. */
  takes?: number[];
  /** Since the last heartbeat. */
  load: ProcessLoad;
}

/** A process as of its last heartbeat. */
export interface SeenNode extends NodeReport {
  lastHeartbeat: string;
  /** Its heartbeats stopped without a sign-off. */
  lost: boolean;
}

const key = 'tidemark:nodes';
const aliveMs = 6_000;
const lostMs = 60_000;
const beatsBetweenDrops = 30;
const signOffMs = 1_000;

/**
 * Both scripts use the clock of Redis, which is the same for all. Only every 30th heartbeat drops nodes that have been lost
 * for a minute: with a thousand nodes, checking all at each heartbeat would be a million checks every two seconds.
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

/** Host and process id, which name the node in logs and reports. */
export const nodeName = (): string => `${hostname()}:${process.pid}`;

/**
 * Sends a heartbeat of this process with the pulse of the connection, every 2 s, until it is stopped. A process without heartbeats counts as lost after 6 s and
 * is dropped a minute later.
 */
export function announceNode(
  redis: Redis,
  role: NodeRole,
  work: () => NodeWork,
  queues: readonly string[] = queuesOfRole(role),
  takes?: number[],
): { stop(): Promise<void> } {
  const id = randomUUID();
  const startedAt = new Date().toISOString();
  const program = { host: hostname(), pid: process.pid, version, engine: engineVersion };
  const identity = { id, role, ...program, startedAt, queues: [...queues], ...(takes && { takes }) };
  const load = measureLoad();
  let beats = 0;
  const beat = () => {
    const node: NodeReport = { ...identity, ...work(), load: load() };
    const drops = beats++ % beatsBetweenDrops === 0 ? 'yes' : 'no';
    return [id, JSON.stringify(node), aliveMs + lostMs, drops];
  };
  const stop = pulseOf(redis).add({ script: beatScript, keys: [key], args: beat });
  const signOff = async () => {
    await stop();
    await redis.hdel(key, id).catch(() => undefined);
  };
  return {
    async stop() {
      // If Redis is unavailable, the node is dropped later like a lost one.
      await Promise.race([signOff(), pause(signOffMs, undefined, { ref: false })]);
    },
  };
}

/** All processes that are alive or were lost within the last minute, by role and start. Throws `redis_unavailable`. */
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
  return {
    ...(JSON.parse(value.slice(space + 1)) as NodeReport),
    lastHeartbeat: new Date(beatMs).toISOString(),
    lost: nowMs - beatMs > aliveMs,
  };
}

/** How many live processes take from the queue, on that server where there are several. */
export const countWorkers = (queue: string, nodes: readonly SeenNode[], place?: number): number =>
  nodes.filter(
    ({ lost, queues, takes }) =>
      !lost && queues.includes(queue) && (place === undefined || !takes || takes.includes(place)),
  ).length;
