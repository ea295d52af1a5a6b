import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectDefaultMetrics } from 'prom-client';
import { stringify } from 'yaml';
import { Metrics } from '../../storage/process/metrics.js';
import { projectText, readYaml } from '../support/deploy/read-yaml.js';
import { skip } from '../support/harness/skip.js';
import { typeFaults } from '../support/deploy/type-faults.js';

interface Panel {
  type: string;
  title: string;
  description: string;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig: { defaults: { unit: string } };
  targets: { expr: string; legendFormat: string }[];
}

const dashboard = JSON.parse(projectText('deploy/grafana/tidemark.json')) as {
  uid: string;
  panels: Panel[];
  annotations: { list: Record<string, unknown>[] };
};
const rows = dashboard.panels.filter(({ type }) => type === 'row');
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe('the dashboard', () => {
  it('has a row for requests, queues, nodes, signals and servers', () => {
    assert.deepEqual(
      rows.map(({ title }) => title),
      ['Requests', 'Queues', 'Nodes', 'Signals', 'Servers'],
    );
  });

  it('says of each panel what it shows, in which unit, and shows none over another', () => {
    for (const { title, description, fieldConfig, targets } of panels) {
      assert.ok(description.length > 5 && fieldConfig.defaults.unit !== '', title);
      for (const { legendFormat } of targets) assert.ok(legendFormat !== '', title);
    }
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels)
      for (let x = 0; x < gridPos.w; x++)
        for (let y = 0; y < gridPos.h; y++) {
          const place = `${gridPos.x + x} ${gridPos.y + y}`;
          assert.ok(gridPos.x + x < 24 && !taken.has(place), title);
          taken.add(place);
        }
  });

  it('shows every metric of the service, and of Node only those that there are', async () => {
    const { registry } = new Metrics();
    collectDefaultMetrics({ register: registry });
    const ofNode = (await registry.getMetricsAsJSON())
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('tidemark_'));
    const named = new Set(expressions.join('\n').match(/\b(process|nodejs|tidemark)_\w+/g));
    const unknown = [...named].filter((name) => !name.startsWith('tidemark_') && !ofNode.includes(name));
    assert.deepEqual(unknown, []);
    const declared = projectText('storage/process/metrics.ts').match(/(?<=')tidemark_\w+/g) ?? [];
    const shown = (name: string) => [...named].some((each) => each === name || each.startsWith(`${name}_`));
    assert.deepEqual(
      declared.filter((name) => !shown(name)),
      [],
    );
  });

  it('is a dashboard by the types of Grafana', function () {
    const faultsOf = (value: unknown) => typeFaults(this, 'Dashboard', '@grafana/schema', value);
    // What an annotation asks of its data source has no type.
    const list = dashboard.annotations.list.map(({ name, datasource, enable, iconColor }) => ({
      name,
      datasource,
      enable,
      iconColor,
    }));
    const known = { ...dashboard, annotations: { list } };
    assert.equal(faultsOf(known), '');
    const [first, ...rest] = panels;
    assert.match(
      faultsOf({ ...known, panels: [{ ...first, grid: {} }, ...rest] }),
      /'"grid"' does not exist/,
    );
  });

  it('asks in a language that Prometheus understands', function () {
    if (spawnSync('promtool', ['--version']).error) skip(this, 'no promtool: install prometheus');
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-dashboard-'));
    try {
      const rules = expressions.map((expr, n) => ({
        record: `panel:${n}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }));
      const file = join(folder, 'rules.yaml');
      writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }));
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout + stderr);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is provided with the data source that it asks for', () => {
    const sources = readYaml<{ datasources: { uid: string; type: string; isDefault: boolean }[] }>(
      'deploy/grafana/provisioning/datasources/prometheus.yaml',
    );
    assert.deepEqual(
      sources.datasources.map(({ type, isDefault }) => [type, isDefault]),
      [['prometheus', true]],
    );
    const { providers } = readYaml<{ providers: { options: { path: string } }[] }>(
      'deploy/grafana/provisioning/dashboards/tidemark.yaml',
    );
    const mounts = readYaml<{ services: { grafana: { volumes: string[] } } }>('compose.yaml').services.grafana
      .volumes;
    assert.ok(mounts.includes(`./deploy/grafana:${providers[0].options.path}:ro`));
  });
});
