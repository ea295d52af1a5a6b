import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { skip } from '../support/harness/skip.js';
import { projectText, readYaml } from '../support/deploy/read-yaml.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const rules = readYaml<{ groups: { rules: Rule[] }[] }>('deploy/prometheus/rules.yaml').groups.flatMap(
  (group) => group.rules,
);
const declared = new Set(projectText('storage/process/metrics.ts').match(/'tidemark_\w+'/g));

/** The metrics of Tidemark that a text names; a histogram has three series under names of its own. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\btidemark_\w+/g)].map(([name]) =>
    name.replace(/(?<=_seconds)_(bucket|count|sum)$/, ''),
  );

const unknownIn = (text: string) => namesIn(text).filter((name) => !declared.has(`'${name}'`));

describe('the alerts', () => {
  const promtool = (...args: string[]) =>
    spawnSync('promtool', args, { cwd: join(projectRoot, 'deploy/prometheus'), encoding: 'utf8' });

  it('fire at what they are for, and not below, by promtool', function () {
    if (promtool('--version').status !== 0) skip(this, 'no promtool: install prometheus');
    const { status, stdout, stderr } = promtool('test', 'rules', 'rules.test.yaml');
    assert.equal(status, 0, stdout + stderr);
    assert.equal(promtool('check', 'config', 'prometheus.yaml', '--syntax-only').status, 0);
  });

  it('are ten, and each has a severity, a summary, a section of the runbook and a test for both sides', () => {
    const runbook = projectText('jobs/RUNBOOK.md');
    const tests = projectText('deploy/prometheus/rules.test.yaml');
    assert.equal(rules.length, 10);
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity, /^(critical|warning)$/, alert);
      assert.ok(annotations.summary.length > 10, alert);
      assert.equal(annotations.runbook_url, `jobs/RUNBOOK.md#${alert.toLowerCase()}`);
      const section = runbook.split(`\n## ${alert}\n`)[1].split('\n## ')[0];
      for (const part of ['Means', 'Look at', 'Do', 'Never'])
        assert.ok(section.includes(`**${part}**`), alert);
      for (const side of ['fires', 'is silent']) assert.ok(tests.includes(`'${alert} ${side}'`), alert);
    }
  });

  it('use only metrics that exist, as the dashboard and the chart do', () => {
    assert.ok(declared.size > 20);
    assert.ok(namesIn(rules.map(({ expr }) => expr).join('\n')).length >= 10);
    const files = ['prometheus/rules.yaml', 'prometheus/rules.test.yaml', 'grafana/tidemark.json'];
    for (const file of files
      .map((name) => `deploy/${name}`)
      .filter((name) => existsSync(join(projectRoot, name))))
      assert.deepEqual(unknownIn(projectText(file)), [], file);
    assert.deepEqual(unknownIn('tidemark_questions_total'), ['tidemark_questions_total']);
  });
});
