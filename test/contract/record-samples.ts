import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { openApi } from '../../gateway/openapi/document.js';
import { tagOf } from '../../gateway/openapi/tags.js';
import { projectRoot } from '../support/harness/paths.js';
import { closeTestServers } from '../support/servers/servers.js';
import { cases } from './cases.js';
import { send } from './question.js';
import { openScene, type Scene } from './scene.js';
import { shapeOf } from './shape-of.js';
import { shortened } from './shortened.js';

/**
 * `npm run samples`: asks every operation of the document what the contract tests ask, and writes the answers, with long lists
 * cut short, to the file from which the document and the docs page take their examples. An answer that has the shape of the
 * stored one changes nothing; `npm run samples -- --all` records all of them anew.
 */
const file = join(projectRoot, 'gateway/openapi/sample-answers.json');
const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const isForAll = process.argv.includes('--all');
const scene = await openScene();
const samples: Record<string, unknown> = {};
for (const [path, methods] of Object.entries(openApi({ PUBLIC_URL: '' }).paths))
  for (const name of Object.keys(methods)) {
    // Examples of OAuth are written by hand: answers hold secrets and pages.
    if (tagOf(path) === 'OAuth') continue;
    const operation = { method: name.toUpperCase(), path };
    const key = `${operation.method} ${path}`;
    const answer = await sample(scene, operation);
    samples[key] = !isForAll && shapeOf(answer) === shapeOf(stored[key]) ? stored[key] : answer;
  }
// Nothing tells of the machine it was recorded on.
const text = JSON.stringify(samples).replaceAll(hostname(), 'server-1').replaceAll(scene.service.url, '');
const { code } = await format(file, text, { printWidth: 110 });
writeFileSync(file, code);
console.log(`${Object.keys(samples).length} answers are in ${file}`);
await scene.close();
await closeTestServers();
process.exit();

/** Of all the answers that the cases of an operation bring about, the one that shows most. */
async function sample(from: Scene, operation: { method: string; path: string }): Promise<unknown> {
  const bodies: unknown[] = [];
  for (const good of cases[`${operation.method} ${operation.path}`].good) {
    const { status, body } = await send(from, operation, await good(from));
    if (status !== 200) throw new Error(`${operation.method} ${operation.path} answered ${status}`);
    bodies.push(shortened(body));
  }
  const length = (body: unknown) => JSON.stringify(body).length;
  return bodies.reduce((longest, body) => (length(body) > length(longest) ? body : longest));
}
