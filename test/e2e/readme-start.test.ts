import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { candleColumns } from '../../compute/model/candles.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { projectRoot } from '../support/harness/paths.js';
import { TerminalProcess } from '../support/process/on-terminal.js';
import { processesOf } from '../support/process/processes-of.js';
import { CommandProcess, freePort, freePorts, runNpm } from '../support/process/service-process.js';
import { until } from '../support/process/until.js';
import { ownProgram } from '../support/servers/own-server.js';
import { serversDir } from '../support/servers/servers.js';
import { Scrape } from '../support/servers/scrape.js';

const ready =
  /Tidemark is ready at (\S+)\r?\napplication (\1\/app)\r?\ndocumentation (\1\/docs), as OpenAPI (\1\/openapi\.json)\r?\naccounts \1\/sign-in; AI clients connect to \1\/mcp, as \1\/docs\/connect says\r?\ndashboard for operators (\1\/app\/operator)\r?\nsign in as (\S+) with password (\S+)\r?\nmarket (?:demo|csv); data in .*; Ctrl-C stops everything\r?\n/;
const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
const blockWith = (text: string) => blocks.find((block) => block.includes(text))!;

/** What `npm start` runs once the code is compiled. */
const runStart = (env: Record<string, string>) =>
  new CommandProcess(process.execPath, ['dist/jobs/run.js', 'start'], env);

/** Of the second start. */
const leaveMs = 12_000;

const hourNow = () => Math.floor(Date.now() / 3_600_000);

interface Ready {
  url: string;
  pages: string[];
  email: string;
  password: string;
}

async function whenReady(service: CommandProcess | TerminalProcess): Promise<Ready> {
  const [, url, app, docs, openapi, operator, email, password] = await service.printed(ready);
  return { url, pages: [app, docs, openapi, operator], email, password };
}

interface BacktestPayload {
  source: string;
  window: { to: string };
}

// Tests look into payloads of every kind.
// oxlint-disable-next-line typescript/no-explicit-any
async function post(url: string, body: unknown, token = ''): Promise<{ status: number; payload: any }> {
  const headers = { 'Content-Type': 'application/json', 'session-token': token };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { payload } = (await answer.json()) as { payload: unknown };
  return { status: answer.status, payload };
}

describe('README', () => {
  it('sets up and tests with one command each', () => {
    assert.match(readme, /^ {4}npm ci && npm start$/m);
    assert.match(readme, /^ {4}npm ci && npm test$/m);
  });
});

describe('npm start', function () {
  this.timeout(120_000);
  let folder: string;
  let env: Record<string, string>;
  let first: Ready;
  /** How often the market has written to MongoDB when the first start was ready. */
  let firstWrites: number;
  /** The hour in which it was. */
  let firstHour: number;

  const scrape = async (n: number) =>
    new Scrape(await (await fetch(`http://127.0.0.1:${Number(env.METRICS_PORT) + n}/metrics`)).text());
  const writesOfMarket = async () =>
    (await scrape(2)).sum('tidemark_round_trip_seconds_count', { server: 'mongodb', command: 'update' });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark start-'));
    // Where the run is given its servers and these can't be had, that is a reason to skip.
    for (const kind of ['redis', 'mongodb'] as const) await ownProgram(kind, folder);
    env = {
      DATA_DIR: folder,
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePorts(4)),
      AI_API_SECRETS: 'a long secret',
    };
  });
  after(() => rm(folder, { recursive: true, force: true }));

  describe('for the first time, on a terminal, with the commands of the README', () => {
    let service: TerminalProcess;
    /** A command for the service of this test. */
    const here = (block: string) =>
      block.replaceAll(':3000', `:${env.PORT}`).replace('.data/', `'${folder}'/`);
    const run = async (script: string) => {
      const shell = new CommandProcess('bash', ['-euo', 'pipefail', '-c', script], env);
      assert.equal(await shell.exit, 0, shell.errors);
      return shell.output;
    };

    before(async () => {
      const own = { ...env, SERVERS_DIR: serversDir };
      service = new TerminalProcess('npm', ['start', '--silent'], { cwd: projectRoot, env: own });
      first = await whenReady(service);
      firstWrites = await writesOfMarket();
      firstHour = hourNow();
    });
    after(() => service.interrupt());

    it('says what it found or started, shows progress, and ends with address, sign-in and data folder', () => {
      const output = stripVTControlCharacters(service.output).replaceAll('\r', '');
      assert.match(output, /^(Redis|Valkey) .* on .*redis\.sock, data in .*$/m);
      const [mongodb] = /^(MongoDB|SecantusDB|mongod) .*data in .*$/m.exec(output) ?? assert.fail(output);
      if (mongodb.includes('fallback')) {
        // One reason on the terminal, all in a file.
        assert.match(mongodb, /fallback: [^;]+; mongod: [^;]+\)/);
        const reasons = readFileSync(join(folder, 'logs/install.log'), 'utf8');
        assert.match(reasons, /^mongodb: mongod: .+\nmongodb: mongod downloaded earlier: .+$/m);
      }
      assert.match(output, /^demo market: history of \d+ of 21 pairs ready$/m);
      assert.ok(output.includes(`market demo; data in ${folder}; `));
    });

    it('is ready for work, with the demo market marked as such', async () => {
      assert.equal((await fetch(`${first.url}/readyz`)).status, 200);
      const chart = await post(`${first.url}/backend/core-line/chart`, { asset: 'BTC' });
      assert.deepEqual([chart.status, chart.payload.source], [200, 'demo']);
    });

    it('ask the running service, sign in and run a backtest', async () => {
      const output = await run(here(blockWith('/backend/login')));
      const answers = output.split('{"result":').slice(1);
      assert.equal(answers.length, 3);
      assert.ok(answers.every((answer) => answer.startsWith('{"type":"OPERATION_PERFORMED"')));
      assert.match(answers[1], /"totalReturn":-?\d/);
      assert.match(answers[2], /"positions":\[/);
      const { payload } = JSON.parse(`{"result":${answers[1]}`) as { payload: BacktestPayload };
      const age = Date.now() - Date.parse(payload.window.to);
      assert.ok(payload.source === 'demo' && age >= 0 && age < 3_660_000, `the history ends ${age} ms ago`);
    });

    it('show the pages that the README and the start name', async () => {
      const inReadme = [...readme.matchAll(/^\| \[(http\S+)\]\(\1\)/gm)].map(([, url]) => here(url));
      assert.deepEqual(inReadme, first.pages);
      for (const url of first.pages) assert.equal((await fetch(url)).status, 200, url);
    });

    it('call a tool of the MCP connector', async () => {
      const output = await run(here(blockWith('tools/call')));
      const { result } = JSON.parse(output) as {
        result: { structuredContent: object; content: { text: string }[] };
      };
      assert.match(result.content[0].text, /^Momentum of BTC on 1d is [a-z ]+: RSI /);
      assert.ok('as_of' in result.structuredContent);
    });

    it('sign requests', async () => {
      const [price, risk] = (await run(here(blockWith('x-signature')))).split('}{');
      assert.match(
        price,
        /^{"base_asset":"BTC","quote_asset":"USDT","symbol":"BTC\/USDT","price":"\d+(\.\d+)?"/,
      );
      assert.match(risk, /^"riskProfile":"(low|moderate|tooRisky)"/);
    });

    it('import candles, list them, add a user and show the limits', async () => {
      const candles = randomCandles(2_000, { startMs: Date.UTC(2023, 0, 1) });
      const lines = Array.from(candles.time, (_, i) =>
        candleColumns.map((column) => candles[column][i]).join(),
      );
      const file = join(folder, 'candles.csv.gz');
      await writeFile(file, gzipSync([candleColumns.join(), ...lines].join('\n')));
      const output = await run(blockWith('candles import').replace('BTC_USDT-1h.csv.gz', `'${file}'`));
      assert.match(output, /2000 rows read, 2000 stored, 0 already there, 0 refused/);
      assert.match(output, /^csv +BTC\/USDT +1h +2000 /m);
      assert.equal(output.match(/^demo /gm)?.length, 63);
      assert.match(output, /added user you@example\.com with plan plus/);
      assert.match(output, /you@example\.com has another password now; sessions ended: 0/);
      assert.match(output, /^points of plan plus +0 +300 +0$/m);
    });

    it('show the progress of long requests, and read stored backtests', async () => {
      const requests = readFileSync(join(projectRoot, 'gateway/REQUESTS.md'), 'utf8');
      const parts = [...requests.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
      assert.equal(parts.length, 3);
      // The others use the token of the first.
      const output = await run(here(parts.join('')));
      const [events, csv, saved] = output.split(/entryPrice|(?=\{"result".*"versions?")/);
      assert.match(saved, /"name":"Dips"/);
      assert.match(events, /^event: progress\ndata: {"phase":"queued","fraction":0}\n\n/);
      assert.match(
        events,
        /\nevent: progress\ndata: {"phase":"(fit|test|done)","fraction":1}\n\nevent: result\n/,
      );
      assert.match(events, /^data: {"status":200,"body":{"result":{"type":"OPERATION_PERFORMED","ttl":\d+}/m);
      assert.ok(csv.split('\r\n').length > 10, csv);
    });

    it('send a signal that a subscriber follows on the paper exchange, and cancel it', async () => {
      const signals = readFileSync(join(projectRoot, 'gateway/SIGNALS.md'), 'utf8');
      const [walk, cancel] = [...signals.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
      const show = 'curl -s $ADDRESS/backend/signals/$SIGNAL -H "$TOKEN"';
      const untilIt = (is: string) =>
        `until ${show} | grep -q '"status":"${is}",[^}]*"isCancelled"'; do sleep 0.2; done\n`;
      const output = await run(
        here(`${walk}${untilIt('open')}${cancel}${untilIt('cancelled')}echo; ${show}`),
      );
      const { payload } = JSON.parse(output.trimEnd().split('\n').at(-1)!) as {
        payload: { events: { type: string }[]; orders: { side: string; status: string }[] };
      };
      assert.deepEqual(
        payload.orders.filter(({ status }) => status === 'filled').map(({ side }) => side),
        ['buy', 'sell'],
      );
      const types = payload.events.map(({ type }) => type);
      assert.deepEqual(
        ['trailing_stop', 'entry_reached', 'bought', 'sold', 'cancelled'].filter(
          (type) => !types.includes(type),
        ),
        [],
      );
    });

    it('send a signal in TypeScript', async () => {
      const keys = `$(npm run --silent admin -- partner add --name 'Beta Signals' --json | tr -d '\\n')`;
      const field = (name: string) => `$(echo "$KEYS" | sed 's/.*"${name}": *"\\([^"]*\\)".*/\\1/')`;
      const program = 'node dist/gateway/web/examples/send-signal.js http://127.0.0.1:3000';
      const output = await run(here(`KEYS=${keys}\n${program} ${field('key')} ${field('secret')} 1`));
      assert.match(output, /^signal [0-9a-f]{24}\n\d{4}-\d\d-\d\dT[\d:.]+Z {.*}\n/m);
    });

    it('list processes, schedules and failed jobs', async () => {
      const output = await run(blockWith('jobs schedules'));
      for (const role of ['compute', 'gateway', 'market', 'signals'])
        assert.match(output, new RegExp(`^${role} +alive `, 'm'));
      assert.match(output, /^clean-up +0 0 2 /m);
      assert.match(output, /^there are no dead jobs$/m);
    });

    it('are all run here', () => {
      assert.equal(blocks.length, 5);
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

    it('show short whole lines of the service on its terminal, each with its role, and the sign-in last', async () => {
      await service.interrupt();
      assert.deepEqual(processesOf(folder), []);
      const lines = stripVTControlCharacters(service.output).split('\r\n');
      const logged = lines.filter((line) => line.startsWith('['));
      for (const line of logged)
        assert.match(line, /^\[\d\d:\d\d:\d\d\] (INFO|WARN): (gateway|compute|market |signals) \S.*$/);
      assert.deepEqual(
        lines.filter((line) => line.includes('{"') || line.includes('job done')),
        [],
      );
      assert.ok(service.output.includes('\u001b['), 'nothing is coloured');
      const signIn = lines.findIndex((line) => line.startsWith('sign in as '));
      assert.ok(lines[signIn - 6] === '' && lines[signIn - 5].startsWith('Tidemark is ready at '));
      // The terminal shows the keys.
      const stopping = lines.indexOf('^Cstopping');
      // Schedules that succeed have no line: what was printed stays in sight.
      assert.ok(!service.output.includes('schedule done'));
      const isAsked = (line: string) => /: (gateway request done|market +mail )/.test(line);
      const unasked = lines.slice(signIn, stopping).filter((line) => !isAsked(line));
      // The last two lines of the banner, and what a first start tells.
      assert.ok(stopping > signIn && unasked.length <= 10, unasked.join('\n'));
    });
  });

  describe('for the second time', () => {
    let service: CommandProcess;
    let token: string;

    before(async () => {
      service = runStart({ ...env, LEAVE_MS: String(leaveMs), LOG_LEVEL: 'warn' });
      await whenReady(service);
    });
    after(() => service.interrupt());

    it('is ready with all data, which it does not make again', async () => {
      assert.deepEqual(await whenReady(service), first);
      const writes = await writesOfMarket();
      // With each hour comes a candle of every pair.
      assert.ok(
        writes < firstWrites / 2 || hourNow() > firstHour,
        `${writes} writes, and ${firstWrites} at the first start`,
      );
      const { email, password } = first;
      token = (await post(`${first.url}/backend/login`, { email, password })).payload.token as string;
      const backtest = await post(`${first.url}/backend/core-line/backtest`, { asset: 'BTC' }, token);
      assert.equal(backtest.status, 200);
    });

    it('has the metrics of gateway, compute node, market and signals on ports that follow METRICS_PORT', async () => {
      const [, printed] = await service.printed(/metrics at (.*)\n/);
      const urls = [0, 1, 2, 3].map((n) => `http://127.0.0.1:${Number(env.METRICS_PORT) + n}/metrics`);
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

    it('starts a role again that died', async () => {
      const compute = processesOf(folder).find(({ command }) => command.endsWith('run.js compute'));
      process.kill(compute!.pid, 'SIGKILL');
      await service.printed(/^compute ended \(SIGKILL\); restarting it in 1 s$/m);
      const backtest = await post(`${first.url}/backend/core-line/backtest`, { asset: 'SOL' }, token);
      assert.equal(backtest.status, 200);
    });

    /** Waits until `/readyz` has that number of nodes: its check serves all who ask within half a second. */
    const countNodes = (nodes: number) =>
      until(`${nodes} nodes`, async () => {
        const state = (await (await fetch(`${first.url}/readyz`)).json()) as { computeNodes: number };
        return state.computeNodes === nodes;
      });

    it('lets a second compute node join', async () => {
      const node = runNpm(['run', '--silent', 'compute'], { ...env, METRICS_PORT: '0' });
      await node.printed(/^compute is ready$/m);
      await countNodes(2);
      await node.interrupt();
      await countNodes(1);
    });

    it('serves every request until the gateway has left for LEAVE_MS, and only then stops the others', async () => {
      const started = performance.now();
      const exit = service.interrupt();
      const readiness = async () => (await fetch(`${first.url}/readyz`)).status;
      await until('no balancer sends anything more', async () => (await readiness()) === 503);
      const statuses = new Set<number>();
      let asked = 0;
      // Until some time before the end, because an answer takes some time too.
      while (performance.now() - started < leaveMs - 4_000) {
        const body = { asset: 'BTC', interval: '1h', feePercent: ++asked / 1_000 };
        statuses.add((await post(`${first.url}/backend/core-line/backtest`, body, token)).status);
        await pause(100);
      }
      assert.deepEqual([...statuses], [200]);
      assert.equal(await exit, 0);
      assert.ok(performance.now() - started >= leaveMs);
      assert.deepEqual(processesOf(folder), []);
      // A busy machine lets a database wait.
      const unexpected = service.errors
        .split('\n')
        .filter((line) => !line.includes('MongoDB has not answered'));
      assert.deepEqual(unexpected, ['']);
    });
  });
});
