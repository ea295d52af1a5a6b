import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { readSettings } from '../../storage/process/read-settings.js';
import { settingsSchema } from '../../storage/process/settings-schema.js';
import { deployTool, requireTool } from '../support/deploy/deploy-tool.js';
import { projectText, readYaml } from '../support/deploy/read-yaml.js';
import { typeFaults } from '../support/deploy/type-faults.js';

interface Container {
  image: string;
  args: string[];
  env: { name: string; value: string }[];
  resources: { limits: Record<string, string> };
  securityContext: object;
  startupProbe: { periodSeconds: number; failureThreshold: number };
}

interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    selector?: { matchLabels: Record<string, string> };
    template?: {
      metadata: { labels: Record<string, string> };
      spec: Record<string, unknown> & { containers: Container[] };
    };
    egress?: { ports: { port: number | string }[]; to?: object[] }[];
    ingress?: { from: object[]; ports: { port: string }[] }[];
    jobTemplate?: { spec: { template: { spec: { containers: Container[] } } } };
    triggers?: { metricType: string; metadata: { query: string; threshold: string } }[];
  };
}

const chart = 'deploy/helm/tidemark';
const roles = ['compute', 'gateway', 'market', 'signals'];
const given = ['--set', 'publicUrl=https://tidemark.example,existingSecret=tidemark'];
const everything = [
  ...given,
  ...['--set', 'autoscaling.compute.enabled=true,autoscaling.compute.prometheusUrl=http://prometheus:9090'],
  ...[
    '--set',
    'ingress.className=nginx,ingress.tlsSecret=certificate,networkPolicy.smtpPort=587,networkPolicy.moreEgress[0].ports[0].port=4318',
  ],
  ...['--set', 'moreSecrets={smtp_url},image.pullSecrets={registry},backup.claim=backups'],
];
const { version } = JSON.parse(projectText('package.json')) as { version: string };

function rendered(args: string[]): { text: string; objects: KubernetesObject[] } {
  const { status, stdout, stderr } = deployTool('helm', ['template', 'release', chart, ...args]);
  assert.equal(status, 0, stderr);
  const objects = parseAllDocuments(stdout).map((each) => each.toJS() as KubernetesObject);
  return { text: stdout, objects };
}

// That the chart runs in a cluster is not seen here: helm renders it, and the schemas of Kubernetes judge what comes out.
describe('the Helm chart', () => {
  it('has the version of the package, and values that its schema takes once the two that have no default are given', () => {
    const { version: own, appVersion } = readYaml<Record<string, string>>(`${chart}/Chart.yaml`);
    assert.deepEqual([own, appVersion], [version, version]);
    const validate = new Ajv({ strict: false }).compile(
      JSON.parse(projectText(`${chart}/values.schema.json`)) as object,
    );
    const values = readYaml<object>(`${chart}/values.yaml`);
    assert.equal(validate(values), false);
    assert.ok(
      validate({ ...values, publicUrl: 'https://a.example', existingSecret: 'tidemark' }),
      JSON.stringify(validate.errors),
    );
  });

  describe('as helm renders it', () => {
    let objects: KubernetesObject[];
    let text: string;
    const named = (kind: string) => objects.filter((each) => each.kind === kind);
    const roleOf = ({ metadata }: KubernetesObject) => metadata.name.replace('release-', '');

    before(function () {
      requireTool(this, 'helm');
      ({ text, objects } = rendered(everything));
    });

    it('passes its lint', () => {
      const { status, stdout } = deployTool('helm', ['lint', '--strict', chart, ...given]);
      assert.equal(status, 0, stdout);
    });

    it('is what Kubernetes takes, without a field that it does not know', function () {
      requireTool(this, 'kubernetes-validate');
      const folder = mkdtempSync(join(tmpdir(), 'tidemark-chart-'));
      try {
        const file = join(folder, 'objects.yaml');
        writeFileSync(file, text);
        const { status, stdout, stderr } = deployTool('kubernetes-validate', ['--strict', file]);
        assert.equal(status, 0, stdout + stderr);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('has a Deployment, a PodDisruptionBudget and a NetworkPolicy for each role, which choose its pods', () => {
      for (const kind of ['Deployment', 'PodDisruptionBudget'])
        assert.deepEqual(named(kind).map(roleOf).sort(), roles, kind);
      assert.deepEqual(named('NetworkPolicy').map(roleOf).sort(), ['backup', ...roles]);
      for (const deployment of named('Deployment')) {
        const { labels } = deployment.spec.template!.metadata;
        const budget = named('PodDisruptionBudget').find((each) => roleOf(each) === roleOf(deployment))!;
        for (const { spec } of [deployment, budget])
          for (const [name, value] of Object.entries(spec.selector!.matchLabels))
            assert.equal(labels[name], value);
      }
      // What an autoscaler decides is not set back by an upgrade.
      const counts = named('Deployment').map((each) => [roleOf(each), each.spec.replicas]);
      assert.deepEqual(Object.fromEntries(counts), {
        compute: undefined,
        gateway: undefined,
        market: 2,
        signals: 2,
      });
    });

    it('disarms and bounds every pod, and gives it time to start and to end', () => {
      for (const { spec } of named('Deployment')) {
        const pod = spec.template!.spec;
        const [container] = pod.containers;
        assert.equal(container.image, `tidemark:${version}`);
        assert.deepEqual(
          [pod.automountServiceAccountToken, pod.terminationGracePeriodSeconds, pod.enableServiceLinks],
          [false, 35, false],
        );
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.deepEqual(Object.keys(container.resources.limits), ['cpu', 'memory']);
        const { periodSeconds, failureThreshold } = container.startupProbe;
        assert.equal(periodSeconds * failureThreshold, 60);
      }
    });

    it('sets only settings that exist, which a production process accepts', () => {
      const folder = mkdtempSync(join(tmpdir(), 'tidemark-chart-'));
      const secrets = {
        redis_url: 'redis://:a@redis:6379',
        mongodb_url: 'mongodb://a:b@mongodb/tidemark',
        secrets_key: 'ab'.repeat(32),
        smtp_url: 'smtps://a:b@mail.example',
      };
      for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
      const known = settingsSchema.describe().keys as Record<string, unknown>;
      try {
        for (const deployment of named('Deployment')) {
          const [{ env, args }] = deployment.spec.template!.spec.containers;
          assert.deepEqual(args, [roleOf(deployment)]);
          for (const { name } of env) assert.ok(name.replace(/_FILE$/, '') in known, name);
          const settings = env.map(({ name, value }) => [
            name,
            value.replace('/run/secrets/tidemark', folder),
          ]);
          const read = readSettings({ NODE_ENV: 'production', ...Object.fromEntries(settings) }, folder);
          assert.deepEqual([read.REDIS_URL, read.SMTP_URL], [secrets.redis_url, secrets.smtp_url]);
          assert.equal(read.LEAVE_MS, 5_000);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('lets compute nodes reach nothing but names, Redis with its sentinels, MongoDB and what is given, and the mail server only the market workers', () => {
      const ports = named('NetworkPolicy').map((each) => [
        roleOf(each),
        each.spec.egress!.flatMap((rule) => rule.ports.map(({ port }) => port)),
      ]);
      const servers = [53, 53, 6379, 26379, 27017];
      const more = 4318;
      assert.deepEqual(Object.fromEntries(ports), {
        backup: [...servers, more],
        compute: [...servers, more],
        gateway: [...servers, 443, more],
        market: [...servers, 443, 587, more],
        signals: [...servers, 443, more],
      });
      const open = named('NetworkPolicy').filter(({ spec }) => (spec.ingress ?? []).length > 1);
      assert.deepEqual(open.map(roleOf), ['gateway']);
      for (const { spec } of named('NetworkPolicy'))
        for (const { from } of spec.ingress ?? []) assert.ok(from.length > 0);
    });

    it('makes a backup each night into a folder of its own, where a claim is given', () => {
      const [{ spec }] = named('CronJob');
      const [{ image, args, env, securityContext }] = spec.jobTemplate!.spec.template.spec.containers;
      assert.deepEqual(args, ['admin', 'backup', 'create', '--to', '/backups/$(POD_NAME)']);
      assert.deepEqual(
        env.map(({ name }) => name),
        ['POD_NAME', 'PUBLIC_URL', 'REDIS_URL_FILE', 'MONGODB_URL_FILE', 'SECRETS_KEY_FILE'],
      );
      const [node] = named('Deployment').map((each) => each.spec.template!.spec.containers[0]);
      assert.deepEqual([image, securityContext], [node.image, node.securityContext]);
      assert.ok(!rendered(given).objects.some((each) => each?.kind === 'CronJob'));
    });

    it('scales compute nodes by how long requests wait, and gateways by CPU', () => {
      const [{ spec }] = named('ScaledObject');
      const [{ metricType, metadata }] = spec.triggers!;
      assert.deepEqual([metricType, metadata.threshold], ['Value', '0.5']);
      assert.match(metadata.query, /histogram_quantile\(0\.9, .*tidemark_job_wait_seconds_bucket\{[^,]*\}/);
      const [own] = rendered([
        ...everything,
        ...['--set-string', 'autoscaling.compute.selector=namespace="tidemark"'],
      ]).objects.filter((each) => each?.kind === 'ScaledObject');
      assert.match(own.spec.triggers![0].metadata.query, /exchanges",namespace="tidemark"\}/);
      assert.equal(named('HorizontalPodAutoscaler').map(roleOf).join(), 'gateway');
    });

    it('has a ScaledObject by the types of KEDA', function () {
      const faultsOf = (value: unknown) =>
        typeFaults(this, 'IScaledObject', '@kubernetes-models/keda/keda.sh/v1alpha1', value);
      const [scaled] = named('ScaledObject');
      assert.equal(faultsOf(scaled), '');
      const wrong = { ...scaled, spec: { ...scaled.spec, minReplicas: 2 } };
      assert.match(faultsOf(wrong), /'"minReplicas"' does not exist/);
    });

    it('refuses values that are missing, misspelt, secret or of no version', () => {
      for (const [values, said] of [
        ['existingSecret=tidemark', /publicUrl/],
        ['publicUrl=tidemark.example,existingSecret=tidemark', /publicUrl/],
        [`${given[1]},replicas=3`, /replicas/],
        [`${given[1]},settings.SECRETS_KEY=abc`, /SECRETS_KEY/],
        [`${given[1]},image.tag=latest`, /tag/],
        [`${given[1]},autoscaling.compute.enabled=true`, /prometheusUrl/],
      ] as const) {
        const { status, stderr } = deployTool('helm', ['template', 'release', chart, '--set', values]);
        assert.equal(status, 1, values);
        assert.match(stderr, said);
      }
    });
  });
});
