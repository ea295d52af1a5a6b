import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installFolder } from '../../../storage/embedded/install-folder.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

describe('installFolder', () => {
  const parent = temporaryFolder();
  const fill = async (draft: string) => {
    await mkdir(draft);
    await writeFile(join(draft, 'program'), '');
  };

  it('removes drafts that were left long ago, and none that another container may be filling', async () => {
    const folder = join(parent.path, 'mongod');
    // No process here has this id: it may belong to another container, or to a process that was killed.
    const [left, filling] = ['1', '2'].map((n) => `${folder}.tmp-4194304-${n}`);
    await mkdir(left);
    await mkdir(filling);
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    await utimes(left, twoDaysAgo, twoDaysAgo);
    await installFolder(folder, fill);
    assert.deepEqual((await readdir(parent.path)).sort(), ['mongod', 'mongod.tmp-4194304-2']);
    assert.deepEqual(await readdir(folder), ['program']);
  });
});
