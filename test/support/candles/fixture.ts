import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { projectRoot } from '../harness/paths.js';

/** The content of a packed JSON file in test/fixtures. */
export const readFixture = (name: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(join(projectRoot, 'test/fixtures', name))).toString());
