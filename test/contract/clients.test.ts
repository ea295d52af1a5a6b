import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, mkdirSync, rmSync, writeFileSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createHash } from 'node:crypto';
import { openApi } from '../../gateway/openapi/document.js';
import { fetchedNpm, fetchedPython, benchFolder } from '../bench/fetched.js';
import { openTestMarket } from '../support/candles/market.js';
import { runCommand } from '../support/clients/run-command.js';
import type { TestService } from '../support/gateway/gateway.js';
import { projectRoot } from '../support/harness/paths.js';

const version = '7.25.0';
const sha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const address = `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${version}/openapi-generator-cli-${version}.jar`;

/** The path of openapi-generator, which is fetched once. Throws if it cannot be fetched, or is another than expected. */
async function generatorJar(): Promise<string> {
  const file = join(benchFolder, `openapi-generator-${version}.jar`);
  if (existsSync(file) && hashOf(readFileSync(file)) === sha256) return file;
  console.error(`fetching openapi-generator ${version}`);
  const answer = await fetch(address, { signal: AbortSignal.timeout(120_000) });
  if (!answer.ok) throw new Error(`Maven Central answered ${answer.status}`);
  const jar = Buffer.from(await answer.arrayBuffer());
  if (hashOf(jar) !== sha256) throw new Error(`openapi-generator ${version} has another hash than expected`);
  mkdirSync(benchFolder, { recursive: true });
  writeFileSync(file, jar);
  return file;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const compilerOptions = {
  ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'] },
  ...{ moduleResolution: 'nodenext', strict: true, outDir: 'out', skipLibCheck: true },
};

/** Compiles `main.ts` of a folder with all that it imports, and answers the path of the program. */
async function compileClient(folder: string, options: object = {}): Promise<string> {
  const config = { compilerOptions: { ...compilerOptions, ...options }, files: ['main.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  await runCommand(process.execPath, [compiler, '-p', folder], { cwd: folder });
  return join(folder, 'out/main.js');
}

/** An empty folder for a generated client, below the project so that it finds packages; `files` are put into it. */
function clientFolder(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(projectRoot, '.data/clients', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

const document = JSON.stringify(openApi({ PUBLIC_URL: '' }));
/** What every client asks for and prints. */
const asked = { asset: 'BTC', interval: '1h', limit: 2 } as const;
const expected = { candles: 2, interval: '1h', source: 'csv' };
/** Names that no one would have chosen, as generators make them for models without a name. */
const madeUpName = /(Post|Get|Response|Body|Request|Inner|AnyOf|Type)\d|Response200|PostRequest/i;

/** A run of seconds is over before the optimizing compiler and a parallel collector pay. */
const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];

describe('clients generated from /openapi.json', function () {
  this.timeout(240_000);
  let service: TestService;

  before(async () => ({ service } = await openTestMarket()));
  after(() => service.close());

  it('by openapi-typescript: compile, and ask through openapi-fetch', async () => {
    const packages = fetchedNpm('openapi-typescript', ['openapi-typescript@7.13.0', 'typescript@5.9.3']);
    const generator = join(packages, 'node_modules/openapi-typescript/bin/cli.js');
    const folder = clientFolder('openapi-fetch', { 'openapi.json': document, 'main.ts': fetchMain });
    // A field with a default may be left out of a request.
    const args = ['openapi.json', '--output', 'schema.ts', '--default-non-nullable', 'false'];
    await runCommand(process.execPath, [generator, ...args], { cwd: folder });
    const program = await compileClient(folder);
    const printed = await runCommand(process.execPath, [program, service.url], { cwd: folder });
    assert.deepEqual(JSON.parse(printed), expected);
  });

  it('by the types that the service gives: compile, and ask through openapi-fetch', async () => {
    const types = await (await fetch(`${service.url}/openapi.d.ts`)).text();
    const folder = clientFolder('own-types', { 'schema.d.ts': types, 'main.ts': fetchMain });
    const program = await compileClient(folder);
    const printed = await runCommand(process.execPath, [program, service.url], { cwd: folder });
    assert.deepEqual(JSON.parse(printed), expected);
  });

  it('by openapi-python-client: have plain names, and ask', async function () {
    let packages: string;
    try {
      packages = fetchedPython('openapi-python-client', ['openapi-python-client==0.29.1', 'ruff==0.14.5']);
    } catch (error) {
      return skip(this, notFetched('openapi-python-client', 'python3 with pip, and PyPI', error));
    }
    const folder = clientFolder('python', { 'openapi.json': document, 'main.py': pythonMain });
    const env = {
      ...process.env,
      PATH: [join(packages, 'bin'), process.env.PATH].join(delimiter),
      PYTHONPATH: packages,
    };
    const args = [
      '--path',
      'openapi.json',
      '--output-path',
      'tidemark',
      '--meta',
      'none',
      '--fail-on-warning',
    ];
    await runCommand('python3', ['-m', 'openapi_python_client', 'generate', ...args], { cwd: folder, env });
    const models = readdirSync(join(folder, 'tidemark/models'));
    for (const file of ['candle.py', 'trade.py', 'position.py', 'risk_assessment.py'])
      assert.ok(models.includes(file), file);
    assert.deepEqual(
      models.filter((file) => madeUpName.test(file.replaceAll('_', ''))),
      [],
    );
    const printed = await runCommand('python3', ['main.py', service.url], { cwd: folder, env });
    assert.deepEqual(JSON.parse(printed), expected);
  });

  it('by openapi-generator: have plain names, compile, and ask', async function () {
    let jar: string;
    try {
      execFileSync('java', ['-version'], { stdio: 'ignore' });
      jar = await generatorJar();
    } catch (error) {
      return skip(this, notFetched('openapi-generator', 'java on PATH, and Maven Central', error));
    }
    const folder = clientFolder('typescript-fetch', { 'openapi.json': document, 'main.ts': generatorMain });
    const args = ['-i', 'openapi.json', '-g', 'typescript-fetch', '-o', 'tidemark'];
    const extensions = ['--additional-properties', 'importFileExtension=.js'];
    await runCommand('java', [...quickStart, '-jar', jar, 'generate', ...args, ...extensions], {
      cwd: folder,
    });
    const models = readdirSync(join(folder, 'tidemark/models'));
    for (const file of ['Candle.ts', 'Trade.ts', 'Position.ts', 'RiskAssessment.ts'])
      assert.ok(models.includes(file), file);
    assert.deepEqual(
      models.filter((file) => madeUpName.test(file)),
      [],
    );
    const program = await compileClient(folder);
    const printed = await runCommand(process.execPath, [program, service.url], { cwd: folder });
    assert.deepEqual(JSON.parse(printed), expected);
  });
});

const fetchMain = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const client = createClient<paths>({ baseUrl: process.argv[2] });
const { data, error } = await client.POST('/backend/core-line/chart', { body: ${JSON.stringify(asked)} });
if (!data) throw new Error(error.payload.message);
const candles: components['schemas']['Candle'][] = data.payload.candles;
const { interval, source } = data.payload;
console.log(JSON.stringify({ candles: candles.length, interval, source }));
`;

const generatorMain = `
import { Configuration, IndicatorApi, type Candle } from './tidemark/index.js';

const api = new IndicatorApi(new Configuration({ basePath: process.argv[2] }));
const { payload } = await api.chartPost({ chartInput: ${JSON.stringify(asked)} });
const candles: Candle[] = payload.candles;
const { interval, source } = payload;
console.log(JSON.stringify({ candles: candles.length, interval, source }));
`;

const pythonMain = `
import json
import sys

from tidemark import Client
from tidemark.api.indicator import chart_post
from tidemark.models import Candle, ChartAnswer, ChartInput, Interval

body = ChartInput(asset='${asked.asset}', interval=Interval('${asked.interval}'), limit=${asked.limit})
answer = chart_post.sync(client=Client(base_url=sys.argv[1]), body=body)
assert isinstance(answer, ChartAnswer), answer
chart = answer.payload
assert all(isinstance(candle, Candle) for candle in chart.candles)
print(json.dumps({'candles': len(chart.candles), 'interval': chart.interval, 'source': chart.source}))
`;
import { notFetched, skip } from '../support/harness/skip.js';
