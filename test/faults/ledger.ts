/**
 * Breaks one thing after the other while two gateways ask without a pause, and keeps a ledger of every question.
 * `npm run faults -- [rounds] [name of a fault ...]`; ends with 1 when a question was lost, answered twice or hung, or
 * computed or told more often than once where no fault asks for that.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { JobClient } from '../../jobs/requests/job-client.js';
import { endOf, Ledger, type Entry } from '../support/jobs/ledger.js';
import { heavy, light, misbehaving, stored, type Misbehaving } from '../support/jobs/ledger-jobs.js';
import type { Redis } from 'ioredis';
import { replyChannel } from '../../jobs/requests/wire.js';
import { Metrics } from '../../storage/process/metrics.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { closeOnSignals } from '../support/process/close-on-signals.js';
import { OwnServer, type BreakableServer } from '../support/servers/own-server.js';
import { SentinelSet } from '../support/servers/sentinel-set.js';
import { RoleChild } from '../support/process/role-child.js';

const askEveryMs = 25;
const awayMs = 1_500;
const betweenMs = 300;
/** A lost connection is made anew after a second at most. */
const reconnectMs = 1_500;

/** A time when a server did not answer, of Date.now(). */
interface Window {
  from: number;
  to: number;
}

/** What is to be broken, and who asks meanwhile. */
interface Scene {
  redis: BreakableServer;
  mongodb: BreakableServer;
  nodes: RoleChild[];
  gateways: JobClient[];
  ledger: Ledger;
  away: Window[];
  /** Gateways that were closed. */
  closed: Set<JobClient>;
  openGateway: () => Promise<JobClient>;
  startNode: () => Promise<RoleChild>;
  nextNumber: () => number;
  listening: Redis;
}

interface Fault {
  /** Redis is a primary and its replica under sentinels. */
  hasSentinels?: true;
  env?: Record<string, string>;
  /** Breaks something and mends it. */
  round: (scene: Scene, round: number) => Promise<void>;
  /** Errors that are right: their code, and to whom they may be given. */
  allowed?: { code: string; to: (entry: Entry, scene: Scene) => boolean };
  /** How long the questions under way may wait after the fault, in ms. */
  withinMs: number;
  /** Whether it is right that what was under way is computed and told again: where whoever had it was lost. */
  repeats?: true;
}

const during =
  (beforeMs: number, afterMs: number) =>
  ({ askedAt }: Entry, { away }: Scene): boolean =>
    away.some(({ from, to }) => askedAt >= from - beforeMs && askedAt <= to + afterMs);

const ofMisbehaving = ({ job }: Entry): boolean => job === misbehaving.name;

async function killNode({ nodes, startNode }: Scene, round: number): Promise<void> {
  const [node] = nodes.splice(round % nodes.length, 1);
  await node.kill();
  // The other has to answer: a new one comes only when it is over.
  await pause(8_000);
  nodes.push(await startNode());
}

/** It answers nothing for a while, loses what it had to the other, and then goes on as if nothing had been. */
const stopNode =
  (forMs: number) =>
  async ({ nodes }: Scene, round: number): Promise<void> => {
    const { process } = nodes[round % nodes.length];
    process.kill('SIGSTOP');
    try {
      await pause(forMs);
    } finally {
      process.kill('SIGCONT');
    }
  };

async function serverAway(scene: Scene, name: 'redis' | 'mongodb', empty = false): Promise<void> {
  const away = { from: Date.now(), to: Infinity };
  scene.away.push(away);
  await scene[name].kill();
  if (empty) await scene[name].empty();
  await pause(awayMs);
  await scene[name].start();
  away.to = Date.now();
}

/** A full heap is collected in vain for a while before the thread gives up, and its task gets a second try. */
const limitsMs: Record<Misbehaving['how'], number> = { exit: 10_000, grow: 14_000, loop: 2_000 };

const misbehave = (how: Misbehaving['how']) => async (scene: Scene) => {
  const { gateways, ledger, nextNumber, nodes } = scene;
  const job = { ...misbehaving, timeoutMs: limitsMs[how] };
  await ended([0, 1].map((n) => ledger.ask(gateways[n], job, { n: nextNumber(), how })));
  if (nodes.some(({ process }) => process.exitCode !== null || process.signalCode !== null))
    throw new Error(`a node ended: ${nodes.map(({ log }) => log.slice(-500)).join('\n')}`);
};

const faults: Record<string, Fault> = {
  'kill -9 of a node': { round: killNode, withinMs: 8_000, repeats: true },
  'kill -9, no results kept': {
    round: killNode,
    env: { LEDGER_RESULT_BYTES: '0' },
    withinMs: 8_000,
    repeats: true,
  },
  'SIGTERM of a node': {
    async round({ nodes, startNode }, round) {
      const [node] = nodes.splice(round % nodes.length, 1);
      await node.stop();
      nodes.push(await startNode());
    },
    withinMs: 2_000,
  },
  'SIGSTOP of a node': { round: stopNode(8_000), withinMs: 8_000, repeats: true },
  'SIGSTOP of a node for 20 s': { round: stopNode(20_000), withinMs: 8_000, repeats: true },
  'gateway closed': {
    async round({ gateways, closed, openGateway }, round) {
      const [old] = gateways.splice(round % 2, 1, await openGateway());
      closed.add(old);
      await old.close();
    },
    allowed: { code: 'cancelled', to: ({ queues }, { closed }) => closed.has(queues) },
    withinMs: 2_000,
    repeats: true,
  },
  'thread exits': {
    round: misbehave('exit'),
    allowed: { code: 'thread_failed', to: ofMisbehaving },
    withinMs: 4_000,
  },
  'thread out of memory': {
    round: misbehave('grow'),
    allowed: { code: 'thread_failed', to: ofMisbehaving },
    withinMs: 4_000,
  },
  'thread loops': {
    round: misbehave('loop'),
    allowed: { code: 'time_limit', to: ofMisbehaving },
    withinMs: 4_000,
  },
  'Redis killed': {
    round: (scene) => serverAway(scene, 'redis'),
    // A question that was on its way to Redis is told as well.
    allowed: { code: 'redis_unavailable', to: during(700, reconnectMs) },
    withinMs: 10_000,
    repeats: true,
  },
  'Redis killed, data lost': {
    round: (scene) => serverAway(scene, 'redis', true),
    allowed: { code: 'redis_unavailable', to: during(700, reconnectMs) },
    withinMs: 10_000,
    repeats: true,
  },
  'primary of sentinels killed': {
    async round({ redis, away }) {
      const window = { from: Date.now(), to: Infinity };
      away.push(window);
      await redis.kill();
      await redis.start();
      window.to = Date.now();
    },
    hasSentinels: true,
    allowed: { code: 'redis_unavailable', to: during(700, reconnectMs) },
    withinMs: 10_000,
    repeats: true,
  },
  'Redis frozen': {
    async round({ redis, away }) {
      const window = { from: Date.now(), to: Infinity };
      away.push(window);
      redis.freeze();
      await pause(2 * awayMs);
      redis.thaw();
      window.to = Date.now();
    },
    allowed: { code: 'redis_unavailable', to: during(700, reconnectMs) },
    withinMs: 10_000,
    repeats: true,
  },
  'MongoDB killed': {
    round: (scene) => serverAway(scene, 'mongodb'),
    allowed: {
      code: 'mongodb_unavailable',
      to: (entry, scene) => entry.job === stored.name && during(5_000, reconnectMs)(entry, scene),
    },
    withinMs: 10_000,
  },
};

/** Asks one question after the other, of both gateways in turn; every fifth is asked of both. */
function startAsking({ gateways, ledger, nextNumber }: Scene): NodeJS.Timeout {
  return setInterval(() => {
    const n = nextNumber();
    const job = n % 10 === 0 ? heavy : n % 10 < 3 ? stored : light;
    const payload = { n, ms: job === heavy ? 150 : 30 };
    ledger.ask(gateways[n % 2], job, payload);
    if (n % 5 === 0) ledger.ask(gateways[(n + 1) % 2], job, payload);
  }, askEveryMs);
}

async function openScene({ env = {}, hasSentinels }: Fault): Promise<Scene> {
  const openRedisServer = hasSentinels ? SentinelSet.open() : OwnServer.open('redis');
  const [redis, mongodb] = await Promise.all([openRedisServer, OwnServer.open('mongodb')]);
  const urls = { REDIS_URL: redis.url, MONGODB_URL: mongodb.url, LOG_LEVEL: 'error', ...env };
  const ledger = new Ledger();
  const startNode = () => RoleChild.start('ledger compute', urls, (line) => ledger.noteRun(line));
  const nodes = await Promise.all([startNode(), startNode()]);
  const openGateway = async () => {
    const metrics = new Metrics();
    metrics.jobRequestEnded = () => ledger.noteEnd();
    return JobClient.open(redis.url, { depthLimit: 1_000, metrics });
  };
  const listening = await listenToReplies(redis.url, ledger);
  const gateways = await Promise.all([openGateway(), openGateway()]);
  let number = 0;
  const nextNumber = () => ++number;
  const closed = new Set<JobClient>();
  const scene = { redis, mongodb, nodes, gateways, ledger, away: [], closed };
  return { ...scene, openGateway, startNode, nextNumber, listening };
}

/** Hears what every gateway is told. */
async function listenToReplies(redisUrl: string, ledger: Ledger): Promise<Redis> {
  const listening = openRedis(redisUrl, patient);
  await connected(listening);
  const subscribe = () => listening.psubscribe(replyChannel('*'));
  await subscribe();
  listening.on('ready', () => void subscribe().catch(() => undefined));
  listening.on('pmessage', (_pattern, _channel, message: string) => ledger.noteReplies(message));
  return listening;
}

async function closeScene({ redis, mongodb, nodes, gateways, listening }: Scene): Promise<void> {
  listening.disconnect();
  for (const gateway of gateways) await gateway.close();
  await Promise.all(nodes.map((node) => node.kill()));
  await Promise.all([redis.close(), mongodb.close()]);
}

/** Resolves when the questions have ended, or must have. */
async function ended(entries: readonly Entry[]): Promise<void> {
  while (entries.some((entry) => entry.settledAt === null && Date.now() < endOf(entry))) await pause(10);
}

/** Runs the rounds of one fault; true when nothing was lost, twice or too late. */
async function run(name: string, fault: Fault, rounds: number): Promise<boolean> {
  const scene = await openScene(fault);
  const close = closeOnSignals(() => closeScene(scene));
  const { ledger } = scene;
  const asking = startAsking(scene);
  let longestAfterMs = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      await pause(betweenMs);
      const at = Date.now();
      const open = ledger.open;
      await fault.round(scene, round);
      await ended(open);
      await ended(ledger.open);
      for (const { settledAt } of open)
        longestAfterMs = Math.max(longestAfterMs, (settledAt ?? Infinity) - at);
    }
    clearInterval(asking);
    await ended(ledger.open);
  } finally {
    clearInterval(asking);
    await close();
  }
  const { code, to } = fault.allowed ?? { code: '', to: () => false };
  const isAllowed = (entry: Entry) => entry.outcome === code && to(entry, scene);
  const sums = ledger.sums(isAllowed);
  const { questions, answered, refused, lost, hangs } = sums;
  const { twice, toldAgain, runAgain } = ledger.repeats;
  const cells = [name, rounds, questions, answered, refused, lost, twice, toldAgain, runAgain, hangs];
  const waits = [sums.longestMs, sums.longestRefusedMs, longestAfterMs].map(seconds);
  console.log(`| ${[...cells, ...waits].join(' | ')} |`);
  const missed = ledger.entries.filter((entry) => entry.outcome !== 'answered' && !isAllowed(entry));
  for (const { n, job, outcome, askedAt, settledAt } of missed.slice(0, 5))
    console.error({ n, job, outcome, askedAt, settledAt });
  const repeated = fault.repeats ? 0 : toldAgain + runAgain;
  return lost + twice + hangs + repeated === 0 && longestAfterMs <= fault.withinMs;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const [given = '20', ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(faults, name));
if (unknown.length > 0) {
  console.error(`no fault "${unknown.join('", "')}"; there are: ${Object.keys(faults).join(', ')}`);
  process.exit(2);
}
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));
process.on('warning', (warning) => unhandled.push(warning));

const columns = ['fault', 'rounds', 'questions', 'answered', 'refused', 'lost'];
const repeats = ['answered twice', 'told again', 'computed again', 'hangs'];
const heads = [...columns, ...repeats, 'longest wait', 'longest to refuse', 'longest after the fault'];
console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => '---|').join('')}`);
let good = true;
for (const [name, fault] of Object.entries(faults)) {
  if (names.length === 0 || names.includes(name)) good = (await run(name, fault, Number(given))) && good;
}
for (const reason of unhandled) console.error(reason);
process.exitCode = good && unhandled.length === 0 ? 0 : 1;
