import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { places } from '../../../../gateway/web/app/places.js';
import { asset } from '../../../../storage/process/asset.js';

const built = fileURLToPath(asset('gateway/web/app-built'));
const kib = 1_024;

const packedSize = (name: string): number => statSync(join(built, 'assets', `${name}.gz`)).size;

/** A file of the bundle, and all that it loads before it runs. */
function loadedWith(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(built, 'assets', name), 'utf8');
  for (const [, next] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) loadedWith(next, found);
  return found;
}

const names = readdirSync(join(built, 'assets')).filter((name) => !name.endsWith('.gz'));
const named = (start: string): string => names.find((name) => name.startsWith(`${start}-`))!;
const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, name) => sum + packedSize(name), 0);

describe('the bundle of the application', () => {
  for (const { file } of places)
    it(`names in the document of ${file} all that it loads, at most six files`, () => {
      const text = readFileSync(join(built, `${file.replace('/', '-')}.html`), 'utf8');
      const page = named(`${file.split('/')[1]}-page`);
      const files = [...loadedWith(page)];
      assert.deepEqual(
        files.filter((name) => !text.includes(name)),
        [],
      );
      assert.ok(files.length <= 6, files.join());
    });

  for (const page of names.filter((name) => /-page-\w+\.js$/.test(name)))
    it(`first loads at most 60 KB compressed for ${page.replace(/-\w+\.js$/, '')}`, () => {
      const size = sizeOf([...loadedWith(page), named('app')]);
      assert.ok(size <= 60 * kib, `${Math.round(size / kib)} KB`);
    });

  it('loads charts in addition, at most 60 KB, when one is shown', () => {
    const first = new Set<string>();
    for (const page of names.filter((name) => /-page-\w+\.js$/.test(name))) loadedWith(page, first);
    const charts = ['price-chart', 'equity-chart'].map(named).flatMap((name) => [...loadedWith(name)]);
    const more = new Set(charts.filter((name) => !first.has(name)));
    const size = sizeOf(more);
    assert.ok(size > 20 * kib && size <= 60 * kib, `${Math.round(size / kib)} KB`);
  });
});
