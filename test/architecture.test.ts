import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { projectRoot } from './support/harness/paths.js';

const folders = ['compute', 'storage', 'jobs', 'gateway'];

/** What each folder may import of the folders before it. */
const allowed: Record<string, RegExp[]> = {
  compute: [/^compute\//],
  storage: [/^storage\//, /^compute\/(model|paper)\//, /^compute\/signals\/execution\.ts$/],
  jobs: [/^jobs\//, /^storage\//, /^compute\//],
  gateway: [
    /^gateway\//,
    // What a dry run of a signal tells, and the states of an execution.
    /^compute\/(paper\/demo-pair-rules|risk\/liquidation-price|signals\/execution)\.ts$/,
    /^storage\//,
    // Sums of profits with their funding, the equity curve, and what came of a trade so far.
    /^compute\/ledger\/(profit-groups|equity-curve|share-payment|trade-result)\.ts$/,
    /^jobs\/signals\/booking\/(payment-holder-of|trade-of)\.ts$/,
    // What accounts are worth now, and pages of a scan that is sorted by the change of now.
    /^jobs\/accounts\/snapshot-accounts\.ts$/,
    // The start makes it once both the candles and the demo account are there.
    /^jobs\/market\/demo-content\.ts$/,
    /^compute\/core-line\/scan-states\.ts$/,
    /^jobs\/definitions\//,
    /^jobs\/(cluster\/cluster|requests\/job-client|job)\.ts$/,
    /^compute\/model\//,
    /^compute\/(analyses|analysis)\.ts$/,
    /^compute\/(strategies|indicators)\/index\.ts$/,
  ],
};

/** Packages that only one folder may know. */
const owners: Record<string, string> = {
  koa: 'gateway',
  'rate-limiter-flexible': 'gateway',
  '@koa/cors': 'gateway',
  '@koa/router': 'gateway',
  jose: 'gateway',
  nodemailer: 'storage',
  openai: 'gateway',
  'raw-body': 'gateway',
  bullmq: 'jobs',
  'csv-parse': 'storage',
  '@uwdata/flechette': 'storage',
  yauzl: 'storage',
  commander: 'jobs',
  ccxt: 'storage',
  piscina: 'jobs',
  mongodb: 'storage',
  pino: 'storage',
  'pino-pretty': 'storage',
  'prom-client': 'storage',
  '@node-rs/argon2': 'storage',
  'mongodb-memory-server-core': 'storage',
  ws: 'storage',
  '@opentelemetry/api': 'storage',
  '@opentelemetry/core': 'storage',
  '@opentelemetry/exporter-trace-otlp-http': 'storage',
  '@opentelemetry/resources': 'storage',
  '@opentelemetry/sdk-trace-base': 'storage',
};

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

/** Numbers of ms that tests compare with, and why none of them depends on how quick a machine is. */
const bounds: Record<string, string> = {
  'test/faults/roles.test.ts: ms < 15_000':
    'ten times the time limit of 1.5 s, and far from 60 s, the limit without it',
  'test/jobs/definitions/contract.test.ts: timeoutMs <= 60_000': 'a setting',
  'test/jobs/market/exchange-follower.test.ts: ms < 990':
    'when requests came after a pause: slower ones come later',
  'test/jobs/requests/throughput-estimate.test.ts: waitMs < 22_000': 'computed from given times',
  'test/jobs/requests/throughput-estimate.test.ts: waitMs < 5_500': 'computed from given times',
  'test/storage/accounts/user-exchanges.test.ts: pauseMs <= 600_000':
    'what is left of a pause is no more than it',
  'test/storage/exchanges/ccxt-account.test.ts: retryAfterMs <= 70_000':
    'what is left of a pause is no more than it',
  'test/storage/exchanges/ccxt-source.test.ts: lateMs < 1_001': 'and what the same run measures',
  'test/storage/exchanges/trades-by-time.test.ts: ms < 150_000': 'a time of the market',
};

function sourceFiles(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const pattern = /(?:^|\n)(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;
  return [...text.matchAll(pattern)].map(([, type, named, lazy]) => ({
    from: file,
    to: named ?? lazy,
    typeOnly: type !== undefined,
  }));
}

const imports = folders.flatMap(sourceFiles).flatMap(importsOf);
/** The source that a compiled path stands for. */
const sourceOf = (path: string): string => {
  const file = relative(projectRoot, path).replace(/\.js$/, '.ts');
  return existsSync(join(projectRoot, file)) ? file : file.replace(/\.ts$/, '.tsx');
};
const topFolder = (file: string) => file.split('/')[0];

/** A file, and all that is loaded with it. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  reached.add(file);
  for (const { from, to, typeOnly } of imports) {
    if (from !== file || typeOnly || !to.startsWith('.')) continue;
    const next = sourceOf(resolve(projectRoot, dirname(from), to));
    if (!reached.has(next)) reachedFrom(next, reached);
  }
  return reached;
}

const pathOf = ({ from, to }: Import) => sourceOf(resolve(projectRoot, dirname(from), to));

/** A path of imports that leads from the file back to it, types included; null if there is none. */
function circleThrough(file: string): string[] | null {
  const cameFrom = new Map<string, string>();
  const open = [file];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of importedBy.get(at) ?? []) {
      if (next === file) return circleFrom(cameFrom, at, file);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      open.push(next);
    }
  }
  return null;
}

function circleFrom(cameFrom: ReadonlyMap<string, string>, last: string, file: string): string[] {
  const circle = [last];
  while (circle[0] !== file) circle.unshift(cameFrom.get(circle[0]) ?? file);
  return circle;
}

const importedBy = new Map<string, string[]>();
for (const each of imports)
  if (each.to.startsWith('.'))
    importedBy.set(each.from, [...(importedBy.get(each.from) ?? []), pathOf(each)]);

const exported = /^export (?:abstract |async )?(?:class|function|const|interface|type) (\w+)/gm;

describe('architecture', () => {
  it('has no circles between files, imports of types included', () => {
    const circles = [...importedBy.keys()].map(circleThrough).filter((circle) => circle !== null);
    assert.deepEqual(circles.slice(0, 3), []);
  });

  it('exports each name from one file alone', () => {
    const files = new Map<string, string[]>();
    for (const file of folders.flatMap(sourceFiles))
      for (const [, name] of readFileSync(join(projectRoot, file), 'utf8').matchAll(exported))
        files.set(name, [...new Set([...(files.get(name) ?? []), file])]);
    assert.deepEqual(
      [...files].filter(([, places]) => places.length > 1),
      [],
    );
  });

  it('keeps the READMEs short: 120 lines at the top, 80 in each folder', () => {
    for (const folder of ['', ...folders]) {
      const lines = readFileSync(join(projectRoot, folder, 'README.md'), 'utf8').split('\n').length - 1;
      assert.ok(lines <= (folder === '' ? 120 : 80), `${folder || 'the top'}: ${lines} lines`);
    }
  });

  it('finds the import statements it judges', () => {
    assert.ok(imports.length > 100);
  });

  for (const folder of folders) {
    it(`lets ${folder} import only what the design allows`, () => {
      const wrong = imports
        .filter(({ from, to }) => topFolder(from) === folder && to.startsWith('.'))
        .map((each) => ({
          ...each,
          to: relative(projectRoot, resolve(projectRoot, dirname(each.from), each.to)),
        }))
        .map((each) => ({ ...each, to: each.to.replace(/\.js$/, '.ts') }))
        .filter(({ to }) => !allowed[folder].some((pattern) => pattern.test(to)));
      assert.deepEqual(wrong, []);
    });
  }

  it('keeps compute free of packages, of Node and of waiting', () => {
    const outside = imports.filter(({ from, to }) => topFolder(from) === 'compute' && !to.startsWith('.'));
    assert.deepEqual(outside, []);
    const impure = /\basync\b|\bawait\b|Date\.now|new Date\(\)|Math\.random|process\.|\bfetch\(/;
    const found = sourceFiles('compute').filter((file) =>
      impure.test(readFileSync(join(projectRoot, file), 'utf8')),
    );
    assert.deepEqual(found, []);
  });

  it('lets each package be known to one folder alone', () => {
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      const owner = owners[to];
      return owner !== undefined && topFolder(from) !== owner && !typeOnly;
    });
    assert.deepEqual(wrong, []);
  });

  it('lets the application in the browser import its own files, and charts alone their package', () => {
    const inApp = imports.filter(({ from }) => from.startsWith('gateway/web/app/'));
    const outside = inApp.filter((each) =>
      each.to.startsWith('.')
        ? !pathOf(each).startsWith('gateway/web/app/')
        : !/^(#schema|preact|preact\/hooks|@preact\/signals|lightweight-charts)$/.test(each.to),
    );
    assert.deepEqual(outside, []);
    const charts = inApp.filter(({ to, typeOnly }) => to === 'lightweight-charts' && !typeOnly);
    assert.ok(charts.length > 0 && charts.every(({ from }) => from.startsWith('gateway/web/app/charts/')));
    // The gateway knows of the application where its pages are, and no more.
    const known = imports.filter(
      (each) => !each.from.startsWith('gateway/web/app/') && pathOf(each).startsWith('gateway/web/app/'),
    );
    assert.deepEqual([...new Set(known.map(pathOf))], ['gateway/web/app/places.ts']);
  });

  it('loads ccxt nowhere but where an exchange is opened', () => {
    assert.deepEqual(
      imports.filter(({ to, typeOnly }) => to.startsWith('ccxt') && !typeOnly),
      [],
    );
    const users = sourceFiles('storage').filter((file) =>
      readFileSync(join(projectRoot, file), 'utf8').includes('ccxtFolder('),
    );
    assert.deepEqual(users, ['storage/exchanges/exchange-ids.ts', 'storage/exchanges/open-ccxt.ts']);
  });

  it('lets the gateway reach nothing that opens an exchange: market workers do that for it', () => {
    const reached = reachedFrom('gateway/main.ts');
    assert.ok(reached.has('storage/accounts/user-exchanges.ts'));
    assert.ok(reachedFrom('jobs/roles.ts').has('storage/exchanges/open-ccxt.ts'));
    assert.deepEqual(
      [...reached].filter((file) => file === 'storage/exchanges/open-ccxt.ts'),
      [],
    );
  });

  it('reads no file of the sources: what is no code is found in dist, by its name', () => {
    const path =
      /new URL\([`'"](\.\.\/)+(compute|storage|jobs|gateway)\/\S*(?<!\.js)[`'"], import\.meta\.url/;
    const readers = ['compute', 'storage', 'jobs', 'gateway']
      .flatMap(sourceFiles)
      .filter((file) => path.test(readFileSync(join(projectRoot, file), 'utf8')));
    assert.deepEqual(readers, []);
  });

  it('loads OpenTelemetry only where traces are collected', () => {
    const users = imports.filter(({ to, typeOnly }) => to.startsWith('@opentelemetry/') && !typeOnly);
    assert.deepEqual([...new Set(users.map(({ from }) => from))], ['storage/process/otlp-tracing.ts']);
    // It is loaded by `import()`, where an address is set: no file imports it for good.
    const importers = imports.filter(
      (each) => !each.typeOnly && pathOf(each) === 'storage/process/otlp-tracing.ts',
    );
    assert.deepEqual(
      importers.map(({ from }) => [
        from,
        /import\(.\.\/otlp-tracing\.js.\)/.test(readFileSync(join(projectRoot, from), 'utf8')),
      ]),
      [['storage/process/open-tracing.ts', true]],
    );
  });

  it('judges by no time or memory that depends on how quick or large a machine is', () => {
    const hasty =
      /(\.now\(\) - [\w.]+|\b\w*(ms|Ms)(\(\))?) <=? \d[\d_]*\b(?! \*)|\bmemoryUsage(\(\))?\.rss\b/g;
    const found = sourceFiles('test')
      .filter((file) => !/^test\/(bench|statistics|architecture)/.test(file))
      .flatMap((file) =>
        [...readFileSync(join(projectRoot, file), 'utf8').matchAll(hasty)].map(
          ([words]) => `${file}: ${words}`,
        ),
      );
    assert.deepEqual(found.sort(), Object.keys(bounds).sort());
  });

  it('holds no trace of an unfinished merge', () => {
    const marker = new RegExp(`^(${['<{7} ', '>{7} ', '(> ){6,7}\\S'].join('|')})`, 'm');
    const left = [...folders, 'test', '.']
      .flatMap((folder) =>
        readdirSync(join(projectRoot, folder), { recursive: folder !== '.', withFileTypes: true }),
      )
      .filter((entry) => entry.isFile() && /\.(ts|md|py|css|html|json|yaml|sh)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => marker.test(readFileSync(file, 'utf8')));
    assert.deepEqual(left, []);
  });

  it('has no folders at the top but those of the design', () => {
    const known = [...folders, 'deploy', 'test', 'node_modules', 'dist'];
    const unknown = readdirSync(projectRoot, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !known.includes(entry.name))
      .map(({ name }) => name);
    assert.deepEqual(unknown, []);
  });
});
