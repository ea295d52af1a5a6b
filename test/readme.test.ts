import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { candleColumns } from '../compute/model/candles.js';
import { projectRoot } from './support/harness/paths.js';
import { randomCandles } from './support/candles/random-candles.js';
import { TerminalProcess } from './support/process/on-terminal.js';
import { CommandProcess, freePort } from './support/process/service-process.js';
import { serversDir } from './support/servers/servers.js';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
describe('README', () => {
  it('sets up and tests with one command each', () => {
    assert.match(readme, /^ {4}npm ci && npm start$/m);
    assert.match(readme, /^ {4}npm ci && npm test$/m);
  });
});

describe('the commands of the README', function () {
  this.timeout(120_000);
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
  const blockWith = (text: string) => blocks.find((block) => block.includes(text))!;
  /** A command for the service of this test. */
  const here = (block: string) => block.replaceAll(':3000', `:${env.PORT}`).replace('.data/', `${folder}/`);
  let folder: string;
  let env: Record<string, string>;
  /** Runs on a terminal, as for a reader of the README. */
  let service: TerminalProcess;

  const run = async (script: string) => {
    const shell = new CommandProcess('bash', ['-euo', 'pipefail', '-c', script], env);
    assert.equal(await shell.exit, 0, shell.errors);
    return shell.output;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-readme-'));
    env = {
      DATA_DIR: folder,
      PORT: String(await freePort()),
      AI_API_SECRETS: 'a long secret',
    };
    const own = { ...env, SERVERS_DIR: serversDir };
    service = new TerminalProcess('npm', ['start', '--silent'], { cwd: projectRoot, env: own });
    await service.printed(/Ctrl-C stops everything/);
  });
  after(async () => {
    await service.interrupt();
    await rm(folder, { recursive: true, force: true });
  });

  it('ask the running service, sign in and run a backtest', async () => {
    const output = await run(here(blockWith('/backend/login')));
    const answers = output.split('{"result":').slice(1);
    assert.equal(answers.length, 3);
    assert.ok(answers.every((answer) => answer.startsWith('{"type":"OPERATION_PERFORMED"')));
    assert.match(answers[1], /"totalReturn":-?\d/);
    assert.match(answers[2], /"positions":\[/);
  });

  it('find the pages that the README and the start name', async () => {
    const [, ...named] = await service.printed(
      /application (\S+)\r\ndocumentation (\S+), as OpenAPI (\S+)\r\n.*\r\n.* (\S+\/app\/operator)\r\n/,
    );
    const inReadme = [...readme.matchAll(/^\| \[(http\S+)\]\(\1\)/gm)].map(([, url]) => here(url));
    assert.deepEqual(inReadme, named);
    for (const url of named) assert.equal((await fetch(url)).status, 200, url);
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
    const output = await run(here(`${walk}${untilIt('open')}${cancel}${untilIt('cancelled')}echo; ${show}`));
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

  it('show short whole lines of the service on its terminal, each with its role, and the sign-in last', async () => {
    await service.interrupt();
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
