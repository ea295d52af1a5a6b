import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/harness/paths.js';

describe('the stylesheets', () => {
  for (const file of ['dashboard/dashboard.css', 'docs/docs.css', 'site/site.css'])
    it(`${file}: dark pages differ from light ones in colours alone`, () => {
      const text = readFileSync(join(projectRoot, 'gateway/web', file), 'utf8');
      const [, ...dark] = text.split('@media (prefers-color-scheme: dark) {');
      assert.equal(dark.length, 1);
      const [, rules] = /^\s*:root \{([^}]*)\}\s*\}/.exec(dark[0])!;
      for (const rule of rules.split(';').map((each) => each.trim()))
        assert.match(rule, /^(--[a-z-]+: #[0-9a-f]{3,8}|color-scheme: dark|)$/);
    });
});
