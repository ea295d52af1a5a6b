import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from './support/harness/paths.js';

const folders = ['compute', 'gateway', 'jobs', 'storage', 'test'];
const files = folders.flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  ),
);
const sources = files.filter((file) => file.endsWith('.ts'));
const guides = ['README.md', 'CONTRIBUTING.md', ...files.filter((file) => file.endsWith('.md'))];
const textOf = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

/** The anchors of the headings of a file, as code hosts make them. */
const anchorsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

function leadsSomewhere(from: string, target: string): boolean {
  const [path, anchor] = target.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(projectRoot, file))) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
}

describe('the guides in Markdown', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: object };

  for (const guide of guides)
    describe(guide, () => {
      const text = textOf(guide);

      it('links to files and headings that exist', () => {
        const targets = [...text.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target]) => target);
        assert.deepEqual(
          targets.filter((target) => !leadsSomewhere(guide, target)),
          [],
        );
      });

      it('names source files that exist', () => {
        const named = [
          ...text.matchAll(/(?<![\w<>*./-])(?:\.\.\/)*((?:[\w-]+\/)*\w[\w-]*(?:\.\w+)*\.ts)\b/g),
        ];
        assert.deepEqual(
          named
            .map(([, path]) => path)
            .filter((path) => !sources.some((file) => `/${file}`.endsWith(`/${path}`))),
          [],
        );
      });

      it('names scripts that exist', () => {
        const named = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name);
        assert.deepEqual(
          named.filter((name) => !Object.hasOwn(scripts, name)),
          [],
        );
      });
    });

  for (const [guide, folder] of [
    ['test/README.md', 'test'],
    ['test/README.md', 'test/support'],
    ['storage/README.md', 'storage'],
    ['compute/README.md', 'compute'],
  ])
    it(`${guide} has a row for each folder of ${folder}`, () => {
      const cells = [...textOf(guide).matchAll(/^\| ([^|]+)\|/gm)].flatMap(([, cell]) =>
        cell.match(/[\w-]+/g),
      );
      const names = readdirSync(join(projectRoot, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => !cells.includes(name)),
        [],
      );
    });
});
