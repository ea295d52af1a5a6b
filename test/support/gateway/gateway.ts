import { tmpdir } from 'node:os';
import { createGateway } from '../../../gateway/app.js';
import { ClientDocuments } from '../../../gateway/auth/oauth/clients/client-documents.js';
import type { Deps } from '../../../gateway/context.js';
import { openDeps } from '../../../gateway/open-deps.js';
import { openStorage, type Storage } from '../../../storage/index.js';
import { openLog, type Log } from '../../../storage/process/log.js';
import { Metrics } from '../../../storage/process/metrics.js';
import { hashPassword } from '../../../storage/users/password.js';
import { announcements } from '../../../jobs/admin/cli/with-servers.js';
import type { Settings } from '../../../storage/process/settings.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { startCompute } from '../../../jobs/node/compute-role.js';
import type { RunningRole } from '../../../storage/process/role.js';
import { givenServers } from '../servers/given-servers.js';
import { listenLocally } from '../servers/listen-locally.js';
import { unlimited } from './unlimited.js';
import { migratedMongodbUrl } from '../servers/migrated-database.js';
import { freshRedisUrl } from '../servers/servers.js';

let passwordHash: Promise<string> | undefined;

/** A gateway, and as many compute nodes as asked for, inside the test's process, over real servers. */
export interface TestService {
  url: string;
  settings: Settings;
  storage: Storage;
  redisUrl: string;
  mongodbUrl: string;
  deps: Deps;
  /** What the gateway and each node count in, where the service is `measured`. */
  metrics: { gateway: Metrics; nodes: Metrics[] };
  /** Sends a JSON body (or the given text as it is) and reads the JSON answer. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  /** The session token of a user made for the test. */
  signIn(more?: { operator?: boolean }): Promise<string>;
  close(): Promise<void>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  result: { type: string; ttl?: number };
  // Tests look into payloads of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  payload: any;
}

export interface TestServiceOptions {
  env?: Record<string, string>;
  computeNodes?: number;
  measured?: boolean;
  /** A Redis of the test's own. */
  redisUrl?: string;
  /** A database with data; without it an empty one. */
  mongodbUrl?: string;
  /** The log of the gateway and the nodes. */
  log?: Log;
  /** Registers more on the server objects of the MCP connector. */
  extendMcpServer?: Deps['extendMcpServer'];
  /** How long calls of tools may take. */
  callWaitMs?: number;
  /** Which addresses count as those of the public internet, where OAuth clients publish what they are. */
  isPublicAddress?: (address: string) => boolean;
}

export async function openTestService({
  env = {},
  computeNodes = 1,
  measured = false,
  redisUrl: ownRedis,
  mongodbUrl: ownDatabase,
  log: given,
  extendMcpServer,
  callWaitMs,
  isPublicAddress,
}: TestServiceOptions = {}): Promise<TestService> {
  const settings = readSettings(
    { MARKET: 'csv', LOG_LEVEL: 'silent', THREADS: '1', ...unlimited, ...env },
    tmpdir(),
  );
  const [redisUrl, mongodbUrl] = [
    ownRedis ?? (await freshRedisUrl()),
    ownDatabase ?? (await migratedMongodbUrl()),
  ];
  const counting = {
    gateway: new Metrics(),
    nodes: Array.from({ length: computeNodes }, () => new Metrics()),
  };
  const log = given ?? openLog(settings, 'test');
  const metrics = measured ? counting.gateway : undefined;
  // Only a test with a Redis of its own makes it slow; the one that all share is slow where the machine is busy.
  const countingMs = ownRedis ? undefined : 30_000;
  const { deps, close } = await openDeps({ settings, redisUrl, mongodbUrl, log, metrics, countingMs });
  // The test writes candles through this one, too.
  const storage = openStorage(mongodbUrl, { timeoutMs: 10_000 }, announcements(deps.redis));
  if (isPublicAddress) deps.clientDocuments = new ClientDocuments(deps.redis, { isAllowed: isPublicAddress });
  const server = createGateway({ ...deps, extendMcpServer, callWaitMs });
  const url = await listenLocally(server);

  const servers = givenServers(redisUrl, mongodbUrl);
  const nodes: RunningRole[] = [];
  for (let n = 0; n < computeNodes; n++) {
    nodes.push(
      await startCompute({
        settings,
        servers,
        log,
        metrics: measured ? counting.nodes[n] : undefined,
        report: () => undefined,
      }),
    );
  }

  const post: TestService['post'] = async (path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };

  return {
    url,
    settings,
    storage,
    redisUrl,
    mongodbUrl,
    deps,
    metrics: counting,
    post,
    async signIn({ operator = false } = {}) {
      const email = `user-${Math.random().toString(36).slice(2)}@example.com`;
      const { id } = await storage.users.add({
        email,
        plan: 'free',
        operator,
        passwordHash: await (passwordHash ??= hashPassword('a password')),
      });
      return storage.sessions.open(id, 'web');
    },
    async close() {
      server.closeAllConnections();
      server.close();
      for (const node of nodes) await node.close();
      await close();
      await storage.close();
    },
  };
}
