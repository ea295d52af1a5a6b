import assert from 'node:assert/strict';
import { until } from '../support/process/until.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findMongodbServer } from '../../storage/embedded/start-servers.js';
import { findRedisServer } from '../../storage/embedded/redis-server.js';
import { freePorts } from '../support/process/free-ports.js';
import { processesOf } from '../support/process/processes-of.js';
import { CommandProcess, freePort, runNpm } from '../support/process/service-process.js';
import { serversDir } from '../support/servers/servers.js';
import { Scrape } from '../support/servers/scrape.js';
import { within } from '../support/process/within.js';

const ready =
  /Tidemark is ready at (\S+)\napplication \1\/app\ndocumentation \1\/docs, as OpenAPI \1\/openapi\.json\naccounts \1\/sign-in; AI clients connect to \1\/mcp, as \1\/docs\/connect says\ndashboard for operators \1\/app\/operator\nsign in as (\S+) with password (\S+)\nmarket (?:demo|csv); data in .*; Ctrl-C stops everything\n/;

/** What `npm start` runs once the code is compiled. */
const runStart = (env: Record<string, string>) =>
  new CommandProcess(process.execPath, ['dist/jobs/run.js', 'start'], env);

/** Of the second start. */
const leaveMs = 6_000;

interface Ready {
  url: string;
  email: string;
  password: string;
}

async function whenReady(service: CommandProcess): Promise<Ready> {
  const [, url, email, password] = await service.printed(ready);
  return { url, email, password };
}

// Tests look into payloads of every kind.
// oxlint-disable-next-line typescript/no-explicit-any
async function post(url: string, body: unknown, token = ''): Promise<{ status: number; payload: any }> {
  const headers = { 'Content-Type': 'application/json', 'session-token': token };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { payload } = (await answer.json()) as { payload: unknown };
  return { status: answer.status, payload };
}

describe('npm start', function () {
  this.timeout(120_000);
  let folder: string;
  let env: Record<string, string>;
  let service: CommandProcess;
  let first: Ready;
  let token: string;
  let metricsPort: number;
  /** How often the market has written to MongoDB when the first start was ready. */
  let firstWrites: number;

  const scrape = async (n: number) =>
    new Scrape(await (await fetch(`http://127.0.0.1:${metricsPort + n}/metrics`)).text());
  const writesOfMarket = async () =>
    (await scrape(2)).sum('tidemark_round_trip_seconds_count', { server: 'mongodb', command: 'update' });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark start-'));
    // Where the run is given its servers and these can't be had, that is a reason to skip.
    for (const find of [findRedisServer, findMongodbServer]) await find(folder, serversDir, () => undefined);
    env = { DATA_DIR: folder, PORT: String(await freePort()), LOG_LEVEL: 'warn' };
    metricsPort = await freePorts(4);
    service = runStart({ ...env, METRICS_PORT: String(metricsPort) });
    first = await whenReady(service);
    firstWrites = await writesOfMarket();
  });
  after(async () => {
    await service.interrupt();
    await rm(folder, { recursive: true, force: true });
  });

  it('says what it found or started, shows progress, and ends with address, sign-in and data folder', () => {
    assert.match(service.output, /^Redis .* on .*redis\.sock, data in .*$/m);
    assert.match(service.output, /^(MongoDB|SecantusDB|mongod) .*data in .*$/m);
    assert.match(service.output, /^demo market: history of \d+ of 21 pairs ready$/m);
    assert.ok(service.output.includes(`market demo; data in ${folder}; `));
    assert.equal(service.errors, '');
  });

  it('is ready for work, with the demo market marked as such', async () => {
    const readiness = await fetch(`${first.url}/readyz`);
    assert.equal(readiness.status, 200);
    const login = await post(`${first.url}/backend/login`, { email: first.email, password: first.password });
    assert.equal(login.status, 200);
    token = login.payload.token as string;
    const chart = await post(`${first.url}/backend/core-line/chart`, { asset: 'BTC' });
    assert.deepEqual([chart.status, chart.payload.source], [200, 'demo']);
    const backtest = await post(
      `${first.url}/backend/core-line/backtest`,
      { asset: 'ETH', interval: '1h' },
      token,
    );
    assert.deepEqual([backtest.status, backtest.payload.source], [200, 'demo']);
    const age = Date.now() - Date.parse(backtest.payload.window.to as string);
    assert.ok(age >= 0 && age < 3_660_000, `the history ends ${age} ms ago`);
  });

  it('starts a role again that died', async () => {
    const compute = processesOf(folder).find(({ command }) => command.endsWith('run.js compute'));
    process.kill(compute!.pid, 'SIGKILL');
    await service.printed(/^compute ended \(SIGKILL\); restarting it in 1 s$/m);
    const backtest = await post(`${first.url}/backend/core-line/backtest`, { asset: 'SOL' }, token);
    assert.equal(backtest.status, 200);
  });

  it('lets other commands find its servers', async () => {
    const admin = runNpm(['run', '--silent', 'admin', '--', 'candles', 'status', '--json'], env);
    assert.equal(await admin.exit, 0, admin.errors);
    const rows = JSON.parse(admin.output) as { market: string }[];
    assert.equal(rows.length, 63);
    assert.ok(rows.every(({ market }) => market === 'demo'));
  });

  /** Waits until `/readyz` has that number of nodes: its check serves all who ask within half a second. */
  const countNodes = (nodes: number) =>
    until(`${nodes} nodes`, async () => {
      const state = (await (await fetch(`${first.url}/readyz`)).json()) as { computeNodes: number };
      return state.computeNodes === nodes;
    });

  it('lets a second compute node join', async () => {
    const node = runNpm(['run', '--silent', 'compute'], env);
    await node.printed(/^compute is ready$/m);
    await countNodes(2);
    await node.interrupt();
    await countNodes(1);
  });

  it('refuses to run twice on one data folder, in one sentence', async () => {
    const second = runStart({ ...env, PORT: String(await freePort()) });
    assert.equal(await second.exit, 1);
    assert.match(second.errors, /^error: the data folder ".*" belongs to a running Tidemark .*\n$/);
  });

  it('refuses a port that is taken, in one sentence', async () => {
    const second = runStart({ ...env, DATA_DIR: join(folder, 'other') });
    assert.equal(await second.exit, 1);
    assert.equal(second.errors, `error: port ${env.PORT} on 127.0.0.1 is taken; set PORT to a free one\n`);
  });

  it('tells all faults of the settings at once, in one sentence', async () => {
    const wrong = runStart({ ...env, PORT: 'x', MARKET: 'nasdaq' });
    assert.equal(await wrong.exit, 1);
    assert.match(
      wrong.errors,
      /^error: settings: PORT must be a number, found "x"; MARKET must be demo, csv or .*\n$/,
    );
  });

  it('stops everything on Ctrl-C, and a second start is ready with all data, which it does not make again', async () => {
    assert.equal(await within('its end', service.interrupt(), 30_000), 0);
    assert.deepEqual(processesOf(folder), []);

    const more = { LEAVE_MS: String(leaveMs), METRICS_PORT: String(metricsPort) };
    service = runStart({ ...env, ...more });
    const again = await whenReady(service);
    const writes = await writesOfMarket();
    assert.ok(writes < firstWrites / 2, `${writes} writes, and ${firstWrites} at the first start`);
    assert.deepEqual(again, first);
    const backtest = await post(`${again.url}/backend/core-line/backtest`, { asset: 'BTC' }, token);
    assert.equal(backtest.status, 200);
  });

  it('has the metrics of gateway, compute node, market and signals on ports that follow METRICS_PORT', async () => {
    const [, printed] = await service.printed(/metrics at (.*)\n/);
    const urls = [0, 1, 2, 3].map((n) => `http://127.0.0.1:${metricsPort + n}/metrics`);
    assert.deepEqual(printed.split(', '), urls);
    const found = await Promise.all(urls.map((_, n) => scrape(n)));
    const own = ['tidemark_http_requests_in_flight', 'tidemark_pool_threads'];
    assert.deepEqual(
      found.map(({ types }) => own.filter((name) => types.has(name))),
      [[own[0]], [own[1]], [], []],
    );
    for (const each of found) assert.ok(each.sum('process_resident_memory_bytes') > 0);
    // The market has looked for stored candles by now.
    assert.ok(found[2].sum('tidemark_round_trip_seconds_count', { server: 'mongodb' }) > 0);
  });

  it('serves every request until the gateway has left for LEAVE_MS, and only then stops the others', async () => {
    const started = performance.now();
    const exit = service.interrupt();
    const statuses = new Set<number>();
    // Until some time before the end, because an answer takes some time too.
    for (let asked = 1; performance.now() - started < leaveMs - 2_000; asked++) {
      const body = { asset: 'BTC', interval: '1h', feePercent: asked / 1_000 };
      statuses.add((await post(`${first.url}/backend/core-line/backtest`, body, token)).status);
      await pause(100);
    }
    assert.deepEqual([...statuses], [200]);
    assert.equal((await fetch(`${first.url}/readyz`)).status, 503);
    assert.equal(await exit, 0);
    assert.ok(performance.now() - started >= leaveMs);
    assert.deepEqual(processesOf(folder), []);
    assert.equal(service.errors, '');
  });

  it('has the account on the plan pro where imported candles are served, too', async () => {
    service = runStart({ ...env, MARKET: 'csv' });
    const { url, email, password } = await whenReady(service);
    assert.deepEqual([email, password], [first.email, first.password]);
    assert.match(service.output, /market csv: no candles yet: npm run admin -- candles import/);
    const file = 'test/fixtures/candle-files/BTC_USDT-1h.json';
    const imported = runNpm(['run', '--silent', 'admin', '--', 'candles', 'import', '--file', file], env);
    assert.equal(await imported.exit, 0);
    assert.match(imported.output, /^BTC\/USDT 1h: 100 rows read, 100 stored/);
    const signedIn = await post(`${url}/backend/login`, { email, password });
    const headers = { 'session-token': signedIn.payload.token as string };
    const account = await fetch(`${url}/backend/account`, { headers });
    const { payload } = (await account.json()) as { payload: { plan: string } };
    assert.equal(payload.plan, 'pro');
    const chart = await post(`${url}/backend/core-line/chart`, { asset: 'BTC', interval: '1h' });
    assert.deepEqual([chart.status, chart.payload.source], [200, 'csv']);
  });
});
