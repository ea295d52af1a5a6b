import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/harness/paths.js';

const darkPartsOf = (file: string): string[] =>
  readFileSync(join(projectRoot, 'gateway/web', file), 'utf8')
    .split('@media (prefers-color-scheme: dark) {')
    .slice(1);

describe('the stylesheets', () => {
  for (const file of ['base.css'])
    it(`${file}: dark pages differ from light ones in colours alone`, () => {
      const dark = darkPartsOf(file);
      assert.equal(dark.length, 1);
      const [, rules] = /^\s*:root \{([^}]*)\}\s*\}/.exec(dark[0])!;
      for (const rule of rules.split(';').map((each) => each.trim()))
        assert.match(rule, /^(--[a-z-]+: #[0-9a-f]{3,8}|color-scheme: dark|)$/);
    });

  for (const file of ['app/app.css', 'docs/docs.css', 'site/site.css'])
    it(`${file}: has its colours from base.css`, () => assert.deepEqual(darkPartsOf(file), []));
});
