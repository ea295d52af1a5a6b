import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { asset, bundleOf } from '../../storage/process/asset.js';
import { places } from '../web/app/places.js';
import type { ClientDocument } from '../openapi/client-types.js';
import { markOf, preparedFile } from './prepared-text.js';

const sources = ['compute', 'storage', 'jobs', 'gateway'];
const dist = fileURLToPath(asset(''));

/** Files of the sources that the compiler leaves out and the service reads; of the examples their source is shown. */
const isAsset = (path: string): boolean =>
  /\.(css|html|json|py|sh|svg|txt)$|gateway.web.examples.*\.ts$/.test(path) &&
  !path.endsWith('tsconfig.json');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What this step has made itself. */
const isPrepared = (path: string): boolean =>
  /gateway.prepared.[a-z.]+(json|ts)(\.gz)?$|gateway.web.app-built.|jobs.bundled./.test(path);

/** Whether one of the results is missing, or older than what these folders hold of code and data. */
function isStale(results: readonly URL[], folders: readonly string[]): boolean {
  const made = Math.min(...results.map((result) => changedMs(fileURLToPath(result))));
  return [...folders.flatMap((folder) => filesBelow(join(dist, folder))), join(dist, 'package.json')].some(
    (path) => !isPrepared(path) && changedMs(path) > made,
  );
}

/**
 * Completes what the compiler has written: copies the files that are no code, and makes the bundles of the roles, the
 * texts of the documentation, the phrases of the analyst and the application unless they are newer than all that they are made of.
 */
export async function prepareDist(): Promise<void> {
  const root = join(dist, '..');
  const assets = sources.flatMap((folder) => filesBelow(join(root, folder))).filter(isAsset);
  for (const from of [...assets, join(root, 'package.json')]) {
    const to = join(dist, from.slice(root.length));
    if (changedMs(to) >= changedMs(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
  }
  if (isStale([bundleOf('jobs/roles')], sources)) {
    const { bundleRoles } = await import('./bundle-roles.js');
    await bundleRoles(dist);
  }
  const documents = places.map(({ file }) => asset(`gateway/web/app-built/${file.replace('/', '-')}.html`));
  if (isStale(documents, [...sources, '../gateway/web/app'])) {
    const { bundleApp } = await import('../web/build/bundle-app.js');
    await bundleApp();
  }
  const texts = (['openapi.json', 'docs.json', 'openapi.d.ts', 'phrases.json', 'schema.d.ts'] as const).map(
    preparedFile,
  );
  if (!isStale(texts, ['compute', 'jobs/definitions', 'gateway'])) return;
  const { openApi } = await import('../openapi/document.js');
  const { clientTypes } = await import('../openapi/client-types.js');
  const { docsSubjects } = await import('../web/docs/subjects.js');
  const { readPhrases } = await import('../assistant/analyst/recognition/default-recogniser.js');
  const address = markOf('ADDRESS');
  const document = openApi({ PUBLIC_URL: address });
  const types = clientTypes(document as unknown as ClientDocument);
  writeFileSync(preparedFile('schema.d.ts'), types);
  writeFileSync(preparedFile('openapi.d.ts'), gzipSync(types));
  writeFileSync(preparedFile('openapi.json'), gzipSync(JSON.stringify(document)));
  writeFileSync(preparedFile('phrases.json'), gzipSync(JSON.stringify(readPhrases())));
  writeFileSync(preparedFile('docs.json'), gzipSync(JSON.stringify(docsSubjects(document, address))));
}
