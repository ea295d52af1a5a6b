import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerSettings } from '../../../storage/embedded/servers.js';

/** Programs are installed once and serve every test run. */
export const serversDir =
  process.env.SERVERS_DIR ?? fileURLToPath(new URL('../../../../.data/servers', import.meta.url));

/** The folder for temporary files, or /tmp where the paths of sockets in it would be too long. */
const shortTemporaryFolder = tmpdir().length < 50 ? tmpdir() : '/tmp';

/** Settings with a new data folder whose path holds a space, and how to remove it. */
export async function temporarySettings(given: Partial<ServerSettings> = {}) {
  const folder = await mkdtemp(join(shortTemporaryFolder, 'tidemark test-'));
  const settings: ServerSettings = {
    REDIS_URL: '',
    MONGODB_URL: '',
    DATA_DIR: join(folder, 'data'),
    SERVERS_DIR: serversDir,
    ...given,
  };
  return { settings, remove: () => rm(folder, { recursive: true, force: true }) };
}
