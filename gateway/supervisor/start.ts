import { createServer } from 'node:net';
import { ensureDemoAccount, retireDemoAccount } from '../../storage/users/demo-account.js';
import type { Servers } from '../../storage/embedded/servers.js';
import { openServers } from '../../storage/embedded/open-servers.js';
import { openStorage } from '../../storage/index.js';
import { requireSecretsKey } from '../../storage/accounts/require-secrets-key.js';
import { failFast, openRedis } from '../../storage/servers/redis.js';
import { listen, requireTwoPorts } from '../../storage/servers/listen.js';
import { requireServers } from '../../storage/servers/require-servers.js';
import { asset } from '../../storage/process/asset.js';
import { failStart } from '../../storage/process/fail-start.js';
import { longestCloseMs } from '../../storage/process/longest-close.js';
import type { RoleEvent } from '../../storage/process/role.js';
import { terminalReport } from '../../storage/process/terminal-report.js';
import type { Settings } from '../../storage/process/settings.js';
import { readSettings } from '../../storage/process/read-settings.js';
import { RoleProcess } from './role-process.js';

/** Starts the whole service: Redis and MongoDB if needed, then one process per role. */

const report = terminalReport(process.stdout);

/** The address and the sign-in, once the service is ready. */
let banner: string[] | undefined;

const notForProduction =
  'servers that are found or started here are for trying out: a service that matters sets REDIS_URL and MONGODB_URL; npm run admin -- check tells what is missing';

/** The servers, roles and gateway that were started, in groups. The members of a group are stopped together, the last group first. */
const started: { close(): Promise<void> }[][] = [];
/** Makes what the demo market shows, once its candles are stored and its account is there. */
let fillDemo: (() => void) | undefined;
let isFilled = false;
let stopping: Promise<void> | undefined;

for (const event of ['SIGINT', 'SIGTERM'] as const) {
  process.on(event, () => {
    if (stopping) return;
    report('stopping');
    void stop().then(() => process.exit(0));
  });
}

const roleNames = ['gateway', 'compute', 'market', 'signals'];

try {
  await start();
} catch (error) {
  await stop();
  failStart(error);
}

async function start(): Promise<void> {
  const settings = readSettings();
  requireTwoPorts(settings, roleNames.length);
  await requireFreePort(settings);
  const servers = await openServers({
    settings,
    holder: 'service',
    name: 'npm start',
    running: 'refuse',
    report,
  });
  started.push([servers]);
  report(servers.redis);
  report(servers.mongodb);
  if (settings.REDIS_URL === '' || settings.MONGODB_URL === '') report(notForProduction);
  await requireServers(servers.redisUrl, servers.mongodbUrl);
  await requireSecretsKey(settings, servers.mongodbUrl);
  const roles = await startRoles(servers, settings);
  const [gateway] = roles;
  await servers.announce({ gatewayUrl: gateway.facts.url });
  const metrics = roles.flatMap(({ facts }) => facts.metricsUrl ?? []);
  if (metrics.length > 0) report(`metrics at ${metrics.join(', ')}`);
  banner = await summary(settings, servers, gateway.facts.url);
  for (const line of banner) report(line);
  if (settings.MARKET === 'demo') fillDemo = () => void fillDemoMarket(settings, servers);
  if (isFilled) fillDemo?.();
}

async function startRoles({ redisUrl, mongodbUrl }: Servers, settings: Settings): Promise<RoleProcess[]> {
  const { DATA_DIR } = settings;
  const urls = { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl, REDIS_URL_FILE: '', MONGODB_URL_FILE: '' };
  const module = asset('jobs/run.js');
  const roles = roleNames.map((role, n) => {
    const own = { ...process.env, DATA_DIR, ...urls, ...metricsPort(settings, n) };
    const stopMs = longestCloseMs(settings) + 1_000;
    return new RoleProcess({
      role,
      module,
      args: [role],
      env: own,
      stopMs,
      report: reportRole,
    });
  });
  const [gateway, ...workers] = roles.map((role) => ({ close: () => role.stop() }));
  // While the gateway drains, its requests need the workers.
  started.push(workers, [gateway]);
  await Promise.all(roles.map((role) => role.start()));
  return roles;
}

/** The banner comes again when the market is filled, because it has scrolled away. */
function reportRole(line: string, event?: RoleEvent): void {
  report(line);
  if (event !== 'filled') return;
  banner?.forEach((each) => report(each));
  isFilled = true;
  fillDemo?.();
}

/** Makes the content of the demo market once its candles are stored. A start without it is worth having: a failure is reported only. */
async function fillDemoMarket(settings: Settings, { mongodbUrl, redisUrl }: Servers): Promise<void> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 10_000 });
  const redis = openRedis(redisUrl, failFast);
  try {
    // Only now: other markets need nothing of it.
    const { ensureDemoContent } = await import('../../jobs/market/demo-content.js');
    if (await ensureDemoContent({ settings, storage, redis }))
      report(`demo market: partner "Demo desk" with ten signals, which the demo account follows on paper`);
  } catch (error) {
    report(`demo market: its content was not made: ${String(error)}; the next start tries again`);
  } finally {
    redis.disconnect();
    await storage.close();
  }
}

/** Each process needs a metrics port of its own: METRICS_PORT and the ports after it. */
function metricsPort({ METRICS_PORT: first }: Settings, n: number): Record<string, string> {
  return first === null ? {} : { METRICS_PORT: String(first === 0 ? 0 : first + n) };
}

async function summary(settings: Settings, servers: Servers, url: string): Promise<string[]> {
  const address = settings.PUBLIC_URL.replace(/\/$/, '') || url;
  return [
    '',
    `Tidemark is ready at ${address}`,
    `application ${address}/app`,
    `documentation ${address}/docs, as OpenAPI ${address}/openapi.json`,
    `accounts ${address}/sign-in; AI clients connect to ${address}/mcp, as ${address}/docs/connect says`,
    `dashboard for operators ${address}/app/operator`,
    ...(await demoSignIn(settings, servers)),
    `market ${settings.MARKET}; data in ${settings.DATA_DIR}; Ctrl-C stops everything`,
  ];
}

/**
 * How to sign in with the demo account, which the demo market and imported candles have. Beside an exchange a demo account left
 * over loses its rights.
 */
async function demoSignIn({ DATA_DIR, HOST, MARKET }: Settings, { mongodbUrl }: Servers): Promise<string[]> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 10_000 });
  try {
    if (MARKET !== 'demo' && MARKET !== 'csv') {
      await retireDemoAccount(storage.users);
      return [];
    }
    const { email, password } = await ensureDemoAccount(storage.users, DATA_DIR, isLoopback(HOST));
    return [`sign in as ${email} with password ${password}`];
  } finally {
    await storage.close();
  }
}

/** Whether only this machine can reach the service: then the demo account may be an operator. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Fails before anything is started if the port is in use. */
async function requireFreePort({ HOST, PORT }: Settings): Promise<void> {
  const probe = createServer();
  await listen(probe, { host: HOST, port: PORT, setting: 'PORT' });
  await new Promise((resolve) => probe.close(resolve));
}

/** Stops the gateway, then the other roles, then the servers. Further calls wait for the first. */
function stop(): Promise<void> {
  stopping ??= (async () => {
    for (const group of started.toReversed()) await Promise.allSettled(group.map((each) => each.close()));
  })();
  return stopping;
}
