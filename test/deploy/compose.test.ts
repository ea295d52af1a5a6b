import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../storage/process/read-settings.js';
import { settingsSchema } from '../../storage/process/settings-schema.js';
import { projectRoot } from '../support/harness/paths.js';
import { deployTool, requireTool } from '../support/deploy/deploy-tool.js';
import { projectText, readYaml } from '../support/deploy/read-yaml.js';

interface Service {
  build?: string;
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks: string[];
  restart: string;
  read_only?: boolean;
  cap_drop: string[];
  security_opt: string[];
  mem_limit: string;
  logging: { options: Record<string, string> };
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  deploy?: { replicas: number };
}

interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
}

const { services, networks, secrets } = readYaml<Compose>('compose.yaml');
const roles = ['gateway', 'compute', 'market', 'signals'];
const dockerfile = projectText('Dockerfile');

/** Runs make-secrets in a folder of its own, twice, and returns what the files held after each. */
function madeSecrets(folder: string): Record<string, string>[] {
  mkdirSync(join(folder, 'deploy'));
  cpSync(join(projectRoot, 'deploy/make-secrets'), join(folder, 'deploy/make-secrets'));
  return [1, 2].map(() => {
    execFileSync('sh', ['deploy/make-secrets'], { cwd: folder });
    const made = join(folder, 'deploy/secrets');
    return Object.fromEntries(
      readdirSync(made).map((name) => [name, readFileSync(join(made, name), 'utf8')]),
    );
  });
}

// What only Docker sees is not judged here: that the images exist, that they build, and that the containers become healthy.
describe('the tools of the makers', () => {
  it('docker-compose reads compose.yaml with all profiles', function () {
    requireTool(this, 'docker-compose');
    const args = [
      '--profile',
      '*',
      '--file',
      'compose.yaml',
      'config',
      '--no-interpolate',
      '--format',
      'json',
    ];
    const { status, stdout, stderr } = deployTool('docker-compose', args);
    assert.deepEqual([status, stderr], [0, '']);
    const read = JSON.parse(stdout) as Compose;
    assert.deepEqual(Object.keys(read.services).sort(), Object.keys(services).sort());
  });

  it('hadolint finds nothing in the Dockerfile', function () {
    requireTool(this, 'hadolint');
    const { status, stdout } = deployTool('hadolint', ['Dockerfile']);
    assert.deepEqual([status, stdout], [0, '']);
  });
});

describe('the image', () => {
  it('is built in two stages on bases with digests, and runs without a shell as no user', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    assert.equal(bases.length, 2);
    for (const base of bases) assert.match(base, /@sha256:[0-9a-f]{64}$/);
    assert.match(dockerfile, /^USER 65532:65532$/m);
  });

  it('starts and asks for its health by files that the build makes', () => {
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '') as string[];
    assert.deepEqual(entry, ['/nodejs/bin/node', '--enable-source-maps', 'dist/jobs/run.js']);
    const health = JSON.parse(/^HEALTHCHECK .*CMD (.*)$/m.exec(dockerfile)?.[1] ?? '') as string[];
    assert.deepEqual(health, ['/nodejs/bin/node', 'dist/jobs/health.js']);
    for (const file of [entry[2], health[1]]) assert.ok(existsSync(join(projectRoot, file)), file);
  });

  it('gets from the folder only what the build needs', () => {
    const [first, ...others] = projectText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    assert.equal(first, '*');
    const kept = others.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    for (const path of kept) assert.ok(existsSync(join(projectRoot, path)), path);
    assert.ok(!kept.some((path) => /^(\.env|\.git|deploy)/.test(path)));
  });
});

describe('compose.yaml', () => {
  it('has two of each role, and the servers', () => {
    const counts = Object.entries(services).map(([name, { deploy }]) => [name, deploy?.replicas ?? 1]);
    assert.deepEqual(Object.fromEntries(counts), {
      ...{ caddy: 1, gateway: 2, compute: 2, market: 2, signals: 2 },
      ...{ redis: 1, mongodb: 1, prometheus: 1, grafana: 1 },
    });
  });

  it('builds its image once', () => {
    const built = Object.entries(services).filter(([, { build }]) => build !== undefined);
    assert.deepEqual(
      built.map(([name, { image }]) => [name, image]),
      [['gateway', services.market.image]],
    );
  });

  it('restarts, bounds and disarms every container, and takes no image without a version', () => {
    for (const [name, service] of Object.entries(services)) {
      assert.equal(service.restart, 'unless-stopped', name);
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.match(service.mem_limit, /^\d+[mg]$/, name);
      assert.deepEqual(Object.keys(service.logging.options), ['max-size', 'max-file'], name);
      assert.match(service.image, /:v?\d+\.\d+\.\d+/, name);
    }
    const { version } = JSON.parse(projectText('package.json')) as { version: string };
    for (const role of roles) assert.equal(services[role].image, `tidemark:${version}`);
  });

  it('runs our roles read-only, after healthy servers, with time to end', () => {
    for (const role of roles) {
      const { read_only, stop_grace_period, depends_on, command } = services[role];
      assert.deepEqual([read_only, stop_grace_period, command], [true, '35s', [role]], role);
      assert.deepEqual(depends_on?.redis, { condition: 'service_healthy' });
      assert.deepEqual(depends_on?.mongodb, { condition: 'service_healthy' });
    }
  });

  it('lets neither the servers nor the compute nodes reach beyond the network of data', () => {
    assert.equal(networks.data.internal, true);
    for (const name of ['redis', 'mongodb', 'compute', 'prometheus'])
      assert.deepEqual(services[name].networks, ['data'], name);
  });

  it('mounts only files that are there', () => {
    const mounts = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./'));
    assert.ok(mounts.length > 0);
    for (const mount of mounts) assert.ok(existsSync(join(projectRoot, mount.split(':')[0])), mount);
  });

  it('sets only settings that exist, which a production process accepts with the secrets that are made', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-secrets-'));
    try {
      const [made, again] = madeSecrets(folder);
      assert.deepEqual(again, made);
      for (const [name, { file }] of Object.entries(secrets)) {
        assert.equal(file, `deploy/secrets/${name}`);
        assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, name);
      }
      assert.deepEqual(Object.keys(made).sort(), Object.keys(secrets).sort());
      const image =
        /^ENV (.*)$/m
          .exec(dockerfile)?.[1]
          .split(' ')
          .map((pair) => pair.split('=')) ?? [];
      for (const role of roles) {
        const given = Object.entries(services[role].environment ?? {}).map(([name, value]) => [
          name,
          value.replace('/run/secrets', join(folder, 'deploy/secrets')).replace(/\$\{\w+:-([^}]*)\}/, '$1'),
        ]);
        const env = Object.fromEntries([...image, ...given]) as Record<string, string>;
        const known = settingsSchema.describe().keys as Record<string, unknown>;
        for (const name of Object.keys(env))
          assert.ok(name === 'NODE_ENV' || name.replace(/_FILE$/, '') in known, name);
        const settings = readSettings(env, folder);
        assert.equal(settings.REDIS_URL, made.redis_url);
        assert.equal(settings.METRICS_PORT, 9464);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
