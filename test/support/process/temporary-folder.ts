import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is there for each test of the suite and gone after it; call it in `describe`. */
export function temporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
  });
  afterEach(() => rm(folder.path, { recursive: true, force: true }));
  return folder;
}
