import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/harness/paths.js';

const textOf = (file: string): string => readFileSync(join(projectRoot, 'gateway/web', file), 'utf8');

const dark = /light-dark|prefers-color-scheme/;

describe('the stylesheets', () => {
  it('base.css: dark pages differ from light ones in colours alone, which stand in its first rule', () => {
    const [, first, rest] = /^:root \{([^}]*)\}([^]*)$/.exec(textOf('base.css'))!;
    for (const rule of first.split(';').filter((each) => dark.test(each)))
      assert.match(rule, /^\s*--[a-z-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)$/);
    assert.doesNotMatch(rest, dark);
  });

  for (const file of ['app/app.css', 'docs/docs.css', 'site/site.css'])
    it(`${file}: has its colours from base.css`, () => assert.doesNotMatch(textOf(file), dark));
});
