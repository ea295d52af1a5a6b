import { MongoClient, type Db, type Document, type Timestamp } from 'mongodb';
import type { Servers } from '../embedded/servers.js';
import type { Settings } from '../process/settings.js';
import { textWithoutSecrets } from '../process/without-secrets.js';
import { migrationState } from '../migrations/index.js';
import { openMongo } from '../servers/mongo.js';
import { awaitRedis, connected, failFast, openRedis } from '../servers/redis.js';
import { addressFindings, publicUrlFindings } from './public-url-findings.js';
import { findingsOf, type Finding } from './finding.js';
import { machineFindings } from './machine-findings.js';
import { mongodbFindings, type MongodbFacts } from './mongodb-findings.js';
import { parseInfo, redisFindings } from './redis-findings.js';
import { redisUrls, sentinelAddress } from '../servers/redis-url.js';
import { askSentinels, sentinelFindings } from './sentinel-findings.js';
import { settingsFindings } from './settings-findings.js';

const warnMs = 1_000;
const unfitMs = 30_000;

/** A reading of another clock: it was read between two times of this process. */
interface ClockReading {
  sentAtMs: number;
  timeMs: number;
  receivedAtMs: number;
}

/** How far the clock of a server is from that of this process. The time of the round trip counts as no difference. */
export function clockFinding(
  part: 'redis' | 'mongodb',
  { sentAtMs, timeMs, receivedAtMs }: ClockReading,
): Finding {
  const { ok, warning, unfit } = findingsOf(part);
  // Positive where this process is ahead.
  const skewMs = sentAtMs > timeMs ? sentAtMs - timeMs : Math.min(0, receivedAtMs - timeMs);
  const off = Math.abs(skewMs);
  if (off < warnMs) return ok('clock', 'agrees with this process');
  const found = `this process is ${(off / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} it`;
  const advice =
    'synchronize the clocks of all machines by NTP: sessions, signatures and candles depend on the time';
  return off < unfitMs ? warning('clock', found, advice) : unfit('clock', found, advice);
}

const answerWithinMs = 5_000;

/** Looks at the servers, the machine and the settings, and changes nothing. A server that does not answer is a finding. */
export async function checkService(
  settings: Settings,
  { redisUrl, mongodbUrl }: Pick<Servers, 'redisUrl' | 'mongodbUrl'>,
): Promise<Finding[]> {
  const [redis, ...parts] = await Promise.all([
    Promise.all(redisUrls(redisUrl).map((url) => checkOneRedis(url, settings.REDIS_URL !== ''))),
    checkPart('mongodb', () => checkMongodb(mongodbUrl)),
    machineFindings(settings),
    publicUrlFindings(settings.PUBLIC_URL),
  ]);
  const [mongodb, machine, way] = parts;
  return [
    ...redis.flat(),
    ...addressFindings('mongodb', mongodbUrl, settings.MONGODB_URL !== ''),
    ...mongodb,
    ...machine,
    ...settingsFindings(settings),
    ...way,
  ];
}

async function checkPart(part: 'redis' | 'mongodb', check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const found = textWithoutSecrets((error as Error).message);
    return [findingsOf(part).unfit('connection', found, 'start the server, or correct its URL')];
  }
}

/** Of several the address stands before the findings of each. */
const checkOneRedis = async (url: string, isGiven: boolean): Promise<Finding[]> => [
  ...addressFindings('redis', url, isGiven),
  ...(await checkPart('redis', () => checkRedis(url))),
];

async function checkRedis(url: string): Promise<Finding[]> {
  const redis = openRedis(url, failFast);
  try {
    await connected(redis);
    const info = parseInfo(await awaitRedis(redis.info()));
    // The user of the service may lack the right to run CONFIG.
    const setting = (name: string) =>
      redis.config('GET', name).then(
        (answer) => answer[1] ?? null,
        () => null,
      );
    const save = await setting('save');
    const address = sentinelAddress(url);
    const sentinels = address
      ? sentinelFindings({
          sentinels: await askSentinels(address),
          replicas: Number(info.connected_slaves ?? 0),
          minReplicasToWrite: await setting('min-replicas-to-write'),
        })
      : [];
    const reading = await readClock(async () => {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    });
    return [...redisFindings({ info, save }), ...sentinels, clockFinding('redis', reading)];
  } finally {
    redis.disconnect();
  }
}

async function checkMongodb(url: string): Promise<Finding[]> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: answerWithinMs, appName: 'tidemark' });
  try {
    const facts = { ...(await mongodbFacts(client)), migrations: await storedMigrations(url) };
    const reading = await readClock(async () => {
      const { localTime } = await client.db('admin').command({ hello: 1 });
      return (localTime as Date).getTime();
    });
    return [...mongodbFindings(facts), clockFinding('mongodb', reading)];
  } finally {
    await client.close();
  }
}

async function storedMigrations(url: string): Promise<NonNullable<MongodbFacts['migrations']>> {
  const { db, close } = openMongo(url, { timeoutMs: answerWithinMs });
  try {
    const { missing, refused } = await migrationState(db);
    return { pending: missing.map(({ id }) => id), refused };
  } finally {
    await close();
  }
}

async function mongodbFacts(client: MongoClient): Promise<MongodbFacts> {
  const admin = client.db('admin');
  const hello = await admin.command({ hello: 1 });
  const fcv = { getParameter: 1, featureCompatibilityVersion: 1 };
  const [buildInfo, serverStatus, cmdLine, dbStats, replication, compatibility, oplogHours] =
    await Promise.all([
      allowed(admin, { buildInfo: 1 }),
      allowed(admin, { serverStatus: 1 }),
      allowed(admin, { getCmdLineOpts: 1 }),
      allowed(client.db(), { dbStats: 1 }),
      allowed(admin, { replSetGetStatus: 1 }),
      allowed(admin, fcv),
      readOplogHours(client).catch(() => undefined),
    ]);
  return {
    hello,
    buildInfo: buildInfo ?? {},
    ...(serverStatus && { serverStatus }),
    ...(cmdLine && { cmdLine }),
    ...(dbStats && { dbStats }),
    ...(replication && { replication }),
    ...(compatibility && { compatibility }),
    ...(oplogHours !== undefined && { oplogHours }),
  };
}

/** Undefined where the server keeps no oplog. */
async function readOplogHours(client: MongoClient): Promise<number | undefined> {
  const oplog = client.db('local').collection<{ ts: Timestamp }>('oplog.rs');
  const at = (order: 1 | -1) =>
    oplog.find().sort({ $natural: order }).limit(1).project<{ ts: Timestamp }>({ ts: 1 }).next();
  const [first, last] = await Promise.all([at(1), at(-1)]);
  return first && last ? (last.ts.getHighBits() - first.ts.getHighBits()) / 3_600 : undefined;
}

/** The answer of a command; undefined where this user may not run it, or the server does not know it. */
const allowed = (db: Db, command: Document): Promise<Document | undefined> =>
  db.command(command).catch(() => undefined);

async function readClock(read: () => Promise<number>): Promise<ClockReading> {
  const sentAtMs = Date.now();
  const timeMs = await read();
  return { sentAtMs, timeMs, receivedAtMs: Date.now() };
}
