import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../compute/model/errors.js';
import { makeFolder } from './private-folder.js';

/** Drafts to which nothing was added for this time were left by killed processes: no installation takes that long. */
const abandonedMs = 86_400_000;

/**
 * Fills a folder once and atomically, even if a process is killed. If two processes fill it at the same time, the first to
 * finish wins and the other's files are deleted. Throws `server_not_found` where the folder above it cannot be written.
 */
export async function installFolder(
  folder: string,
  fill: (draft: string) => Promise<unknown>,
): Promise<void> {
  if (existsSync(folder)) return;
  const draft = `${folder}.tmp-${process.pid}-${randomUUID()}`;
  await prepareParent(folder);
  await removeAbandonedDrafts(folder);
  try {
    await fill(draft);
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function prepareParent(folder: string): Promise<void> {
  const parent = dirname(folder);
  try {
    // Users of a machine may share it.
    await makeFolder(parent, 0o777);
    await access(parent, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const message = `the folder "${parent}" (SERVERS_DIR) cannot be written: ${reason}`;
    throw new AppError('server_not_found', message, { cause });
  }
}

/** Process ids are not compared: containers that share the folder do not see each other's processes. */
async function removeAbandonedDrafts(folder: string): Promise<void> {
  const parent = dirname(folder);
  const drafts = (await readdir(parent)).filter((name) => name.startsWith(`${basename(folder)}.tmp-`));
  for (const draft of drafts.map((name) => join(parent, name))) {
    const found = await stat(draft).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(draft, { recursive: true, force: true });
  }
}
