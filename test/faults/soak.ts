/**
 * `npm run soak -- HOURS`: the whole service under load while one thing after the other is broken. Prints the ledger of faults and what
 * has grown; ends with 1 when a request failed (`judge-requests.ts` says what that is), a signal was not entered exactly once, or memory or
 * handles leak.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { leaksOf, growthOf, type Growth, type SoakSample } from '../support/soak/growth.js';
import { openMongo } from '../../storage/servers/mongo.js';
import { awaitRedis, connected, openRedis, patient } from '../../storage/servers/redis.js';
import { unlimited } from '../support/gateway/unlimited.js';
import { projectRoot } from '../support/harness/paths.js';
import { closeOnSignals } from '../support/process/close-on-signals.js';
import { processesOf } from '../support/process/processes-of.js';
import { freePorts } from '../support/process/service-process.js';
import { askAll, type AskedRequest } from '../support/releases/ask-all.js';
import { FollowedPartner } from '../support/releases/followed-partner.js';
import { RunningRelease } from '../support/releases/running-release.js';
import { OwnServer } from '../support/servers/own-server.js';
import { Scrape } from '../support/servers/scrape.js';
import { judgeRequests, type Outage, type RequestVerdict } from '../support/soak/judge-requests.js';

interface SoakOutcome extends RequestVerdict {
  /** The sides of the filled entries of each signal. */
  entries: Record<string, string[]>;
  growth: Growth[];
  /** What the service said on standard error. */
  errors: string;
  exit: number | null;
}

/** In the order of their ports of metrics. */
const roles = ['gateway', 'compute', 'market', 'signals'];
const awayMs = 1_500;
/** No fault begins so shortly before the end: what was broken has to come back. */
const settleMs = 30_000;
/** For how long a client asks again. */
const againMs = 60_000;
/** A subscription follows ten at a time. */
const mostSignals = 8;

/** Runs the whole service for some hours under load, breaks one thing after the other, and measures what grows. */
async function soak(hours: number, tell: (line: string) => void): Promise<SoakOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-soak-'));
  const [redis, mongodb] = await Promise.all([OwnServer.open('redis'), OwnServer.open('mongodb')]);
  const settings = { ...unlimited, THREADS: '1', SECRETS_KEY: randomBytes(32).toString('hex') };
  const urls = { REDIS_URL: redis.url, MONGODB_URL: mongodb.url, DATA_DIR: folder };
  const metricsPort = await freePorts(roles.length);
  const measures = { ...urls, METRICS_PORT: String(metricsPort) };
  const service = await RunningRelease.start(projectRoot, { ...settings, ...measures });
  const lasting = hours * 3_600_000;
  // Each of them also in a short run.
  const faultEveryMs = Math.min(180_000, lasting / 6);
  const endsAt = Date.now() + lasting;
  const requests: AskedRequest[] = [];
  const outages: Outage[] = [];
  const samples: SoakSample[] = [];
  const partner = await FollowedPartner.open(service);
  const isOver = () => Date.now() > endsAt;
  const pidOf = (role: string) =>
    processesOf(folder).find(({ command }) => command.endsWith(`run.js ${role}`))?.pid;

  const kill = (role: string) => {
    const pid = pidOf(role);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    return Promise.resolve();
  };
  const breaks: Record<string, () => Promise<void>> = {
    'kill -9 of the compute node': () => kill('compute'),
    'Redis killed': () => away(redis),
    'kill -9 of the signals worker': () => kill('signals'),
    'MongoDB killed': () => away(mongodb),
  };

  const load = async () => {
    for (let n = 1; !isOver(); n++) {
      const share = 1 - (endsAt - Date.now()) / lasting;
      const isDue = partner.signals.length < share * mostSignals;
      const sends = isDue ? { partner: partner.headers } : {};
      const { url, login } = service;
      const note = (asked: AskedRequest) => void requests.push(asked);
      const signal = await askAll({ url, login, ...sends, againMs, note }, n);
      if (signal !== undefined) partner.signals.push(signal);
      await pause(250);
    }
  };
  const destroy = async () => {
    for (let n = 0; ; n++) {
      // Time for what was broken to come back before the end.
      await pause(Math.min(faultEveryMs, Math.max(0, endsAt - Date.now())));
      if (Date.now() + settleMs > endsAt) return;
      // In the second half no process is killed, so that each is measured for long.
      const isLate = Date.now() > endsAt - lasting / 2 + settleMs;
      const names = Object.keys(breaks).filter((name) => !isLate || !name.startsWith('kill'));
      const name = names[n % names.length];
      const server = /^(Redis|MongoDB) killed$/.exec(name)?.[1] as Outage['server'];
      const outage = { name, server, from: Date.now(), to: Infinity };
      outages.push(outage);
      await breaks[name]();
      outage.to = Date.now();
      tell(`${new Date().toISOString()} ${name}`);
    }
  };
  const measure = async () => {
    while (!isOver()) {
      await pause(Math.min(lasting / 30, 30_000));
      const figures = await measured(measures, pidOf).catch(() => undefined);
      if (figures) samples.push({ at: Date.now(), figures });
    }
  };
  try {
    await Promise.all([load(), destroy(), measure()]);
    const entries = await partner.entered(service, 120_000);
    const exit = await service.stop();
    return {
      ...judgeRequests(requests, outages),
      entries,
      growth: growthOf(samples),
      errors: service.errors,
      exit,
    };
  } finally {
    await service.stop();
    await Promise.all([redis.close(), mongodb.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function away(server: OwnServer): Promise<void> {
  await server.kill();
  await pause(awayMs);
  await server.start();
}

/** Memory and handles of each process, what the servers hold. A process that was started again is measured under its own number. */
async function measured(
  { REDIS_URL, MONGODB_URL, METRICS_PORT }: Record<'REDIS_URL' | 'MONGODB_URL' | 'METRICS_PORT', string>,
  pidOf: (role: string) => number | undefined,
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const [n, role] of roles.entries()) {
    const pid = pidOf(role);
    if (pid === undefined) continue;
    const url = `http://127.0.0.1:${Number(METRICS_PORT) + n}/metrics`;
    // A process that is being killed may take a connection and never answer.
    const told = await fetch(url, { signal: AbortSignal.timeout(5_000) })
      .then((answer) => answer.text())
      .catch(() => undefined);
    if (told === undefined) continue;
    const scrape = new Scrape(told);
    const megabytes = (name: string, labels = {}) => scrape.sum(name, labels) / 1e6;
    // The candles are a cache that CANDLE_CACHE_MB bounds: the first close of an hour brings every pair into it.
    const candles = megabytes('tidemark_candle_cache_bytes');
    // V8 takes 1 to 32 MB for young objects, more when much is under way.
    const young = megabytes('nodejs_heap_space_size_total_bytes', { space: 'new' });
    const resident = megabytes('process_resident_memory_bytes');
    if (candles > 0) figures[`${role} ${pid}: candles, MB`] = candles;
    figures[`${role} ${pid}: resident, MB`] = resident;
    figures[`${role} ${pid}: memory without candles and young objects, MB`] = resident - candles - young;
    figures[`${role} ${pid}: heap, MB`] = megabytes('nodejs_heap_size_used_bytes');
    figures[`${role} ${pid}: handles`] = readdirSync(`/proc/${pid}/fd`).length;
  }
  const redis = openRedis(REDIS_URL, patient);
  const mongo = openMongo(MONGODB_URL, { timeoutMs: 10_000 });
  try {
    await connected(redis);
    figures['Redis: keys'] = await awaitRedis(redis.dbsize());
    const info = await awaitRedis(redis.info('memory'));
    // The results are a cache that RESULT_CACHE_MB bounds: that it fills is no growth.
    const results = Number((await awaitRedis(redis.get('tidemark:results:bytes'))) ?? 0) / 1e6;
    figures['Redis: results, MB'] = results;
    figures['Redis: memory without results, MB'] =
      Number(/used_memory:(\d+)/.exec(info)?.[1]) / 1e6 - results;
    for (const { name } of await mongo.db.listCollections().toArray())
      figures[`MongoDB: ${name}`] = await mongo.db.collection(name).countDocuments();
    return figures;
  } finally {
    redis.disconnect();
    await mongo.close();
  }
}

// What was started ends when this process exits, which a signal alone does not tell it.
closeOnSignals(() => Promise.resolve());
const hours = Number(process.argv[3] ?? 3);
if (!(hours > 0)) {
  console.error(`expected the hours to run, as in 3 or 0.5, found "${process.argv[3]}"`);
  process.exit(2);
}
const { faults, asked, refused, failed, entries, growth, errors, exit } = await soak(hours, (line) =>
  console.error(line),
);
console.log(
  `${hours} h, ${asked} requests: ${refused} refused while the server they needed was down, and answered when asked again; ` +
    `${failed.length} failed; the service ended with ${exit}`,
);
console.log(
  '\n| fault | times | requests meanwhile | refused at first | longest until answered |\n|---|---:|---:|---:|---:|',
);
for (const { name, times, asked, refused, longestMs } of faults)
  console.log(`| ${name} | ${times} | ${asked} | ${refused} | ${(longestMs / 1_000).toFixed(1)} s |`);
const sides = Object.values(entries);
const once = sides.filter((each) => each.join() === 'buy').length;
console.log(`\n${once} of ${sides.length} signals entered once`);
console.log('\n| what | at first | at last | per hour | measured, h |\n|---|---:|---:|---:|---:|');
for (const { name, from, to, perHour, hours } of growth)
  console.log(
    `| ${name} | ${[from, to, perHour].map((n) => n.toFixed(1)).join(' | ')} | ${hours.toFixed(2)} |`,
  );
for (const line of failed.slice(0, 20)) {
  console.error(line);
  const [, id] = /"requestId":"([\w-]+)"/.exec(line) ?? [];
  for (const logged of errors.split('\n')) if (id && logged.includes(id)) console.error(logged);
}
for (const other of sides.filter((each) => each.join() !== 'buy')) console.error(`signal: ${other.join()}`);
const leaks = leaksOf(growth);
for (const { name } of leaks) console.error(`grows: ${name}`);
const isGood = failed.length === 0 && once > 0 && once === sides.length && leaks.length === 0 && exit === 0;
process.exit(isGood ? 0 : 1);
