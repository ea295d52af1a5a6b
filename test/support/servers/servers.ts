import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Servers } from '../../../storage/embedded/servers.js';
import { openServers } from '../../../storage/embedded/open-servers.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { projectRoot } from '../harness/paths.js';

/** Where server programs are kept from one run of the tests to the next. */
export const serversDir = process.env.SERVERS_DIR ?? resolve(projectRoot, '.data/servers');

let opening: Promise<{ servers: Servers; folder: string }> | undefined;
let mongodbDatabases = 0;
let redisDatabases = 0;
const closings: (() => Promise<void>)[] = [];

/** The Redis and MongoDB of this test run: those of REDIS_URL and MONGODB_URL, or its own, started with the first call. */
export async function testServers(): Promise<Servers> {
  opening ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    const { REDIS_URL = '', MONGODB_URL = '' } = process.env;
    const settings = { REDIS_URL, MONGODB_URL, DATA_DIR: folder, SERVERS_DIR: serversDir };
    const report = (line: string) => console.error(line);
    const servers = await openServers({
      settings,
      holder: 'service',
      name: 'npm test',
      running: 'refuse',
      report,
    });
    return { servers, folder };
  })();
  return (await opening).servers;
}

/** The URL of an empty database, a new one with each call. */
export async function freshMongodbUrl(): Promise<string> {
  const url = new URL((await testServers()).mongodbUrl);
  url.pathname = `/test_${process.pid}_${++mongodbDatabases}`;
  return url.href;
}

/** The URL of an emptied Redis database, the next of 16 with each call. */
export async function freshRedisUrl(): Promise<string> {
  const url = new URL((await testServers()).redisUrl);
  url.searchParams.set('db', String(++redisDatabases % 16));
  const redis = openRedis(url.href, patient);
  await redis.flushdb();
  redis.disconnect();
  return url.href;
}

/** Closes, when the tests of this process end, what they share. */
export const closeAfterTests = (close: () => Promise<void>): void => void closings.push(close);

/** Stops what was started. */
export async function closeTestServers(): Promise<void> {
  await Promise.all(closings.splice(0).map((close) => close()));
  if (!opening) return;
  const { servers, folder } = await opening;
  await servers.close();
  await rm(folder, { recursive: true, force: true });
}
