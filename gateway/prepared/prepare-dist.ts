import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { asset } from '../../storage/process/asset.js';
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

/**
 * Completes what the compiler has written: copies the files that are no code, and makes the texts of the documentation unless
 * they are newer than all that they are made of.
 */
export async function prepareDist(root = join(dist, '..')): Promise<void> {
  const assets = sources.flatMap((folder) => filesBelow(join(root, folder))).filter(isAsset);
  for (const from of [...assets, join(root, 'package.json')]) {
    const to = join(dist, from.slice(root.length));
    if (changedMs(to) >= changedMs(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
  }
  const texts = (['openapi.json', 'docs.json', 'openapi.d.ts', 'schema.d.ts'] as const).map((name) =>
    fileURLToPath(preparedFile(name)),
  );
  const made = Math.min(...texts.map(changedMs));
  const parts = ['compute', 'jobs/definitions', 'gateway'].flatMap((folder) =>
    filesBelow(join(dist, folder)),
  );
  const newest = [...parts, join(dist, 'package.json')]
    .filter((path) => !texts.includes(path))
    .map(changedMs);
  if (made > 0 && newest.every((ms) => ms <= made)) return;
  const { openApi } = await import('../openapi/document.js');
  const { clientTypes } = await import('../openapi/client-types.js');
  const { docsSubjects } = await import('../web/docs/subjects.js');
  const address = markOf('ADDRESS');
  const document = openApi({ PUBLIC_URL: address });
  const types = clientTypes(document as unknown as ClientDocument);
  writeFileSync(preparedFile('schema.d.ts'), types);
  writeFileSync(preparedFile('openapi.d.ts'), gzipSync(types));
  writeFileSync(preparedFile('openapi.json'), gzipSync(JSON.stringify(document)));
  writeFileSync(preparedFile('docs.json'), gzipSync(JSON.stringify(docsSubjects(document, address))));
}
