import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installFolder } from '../../../storage/embedded/install-folder.js';
import { reportGrowth } from '../../../storage/embedded/report-growth.js';
import type { Progress, Report } from '../../../storage/process/terminal-report.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

describe('reportGrowth', () => {
  const temporary = temporaryFolder();

  it('reports the share that is there while a folder is installed, and that it failed', async () => {
    const folder = join(temporary.path, 'package');
    const seen: Progress[] = [];
    let heard: () => void = () => undefined;
    const report: Report = (_line, progress) => {
      seen.push(progress!);
      heard();
    };
    const until = async (fraction: number) => {
      while (seen.at(-1)?.fraction !== fraction) await new Promise<void>((resolve) => (heard = resolve));
    };
    const work = { of: 'installing', megabytes: 4, report };
    const install = () =>
      installFolder(folder, async (draft) => {
        await mkdir(join(draft, 'deep'), { recursive: true });
        await writeFile(join(draft, 'deep', 'one'), Buffer.alloc(2 ** 20));
        await until(0.25);
        await writeFile(join(draft, 'two'), Buffer.alloc(5 * 2 ** 20));
        await until(0.99);
        throw new Error('cut off');
      });
    await assert.rejects(reportGrowth(folder, work, install), { message: 'cut off' });
    assert.deepEqual(seen.at(-1), { of: 'installing', fraction: null });
  });
});
