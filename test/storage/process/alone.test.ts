import assert from 'node:assert/strict';
import type { ServerSettings } from '../../../storage/embedded/servers.js';
import { serversDir, testServers } from '../../support/servers/servers.js';
import { RoleChild } from '../../support/process/role-child.js';
import { temporarySettings } from '../embedded/temporary-settings.js';

describe('a role without REDIS_URL and MONGODB_URL', function () {
  this.timeout(60_000);

  let settings: ServerSettings;
  let remove: () => Promise<void>;
  const roles: RoleChild[] = [];

  const start = async (role: 'compute' | 'market', env: Record<string, string> = {}) => {
    const { DATA_DIR } = settings;
    const child = await RoleChild.start(role, { DATA_DIR, SERVERS_DIR: serversDir, ...env });
    roles.push(child);
    return child;
  };
  const warnings = ({ log }: RoleChild) =>
    log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ level, msg }) => level === 40 && msg.includes('is alone'))
      .map(({ msg }) => msg);

  beforeEach(async () => ({ settings, remove } = await temporarySettings()));
  afterEach(async () => {
    for (const role of roles.splice(0).reverse()) await role.stop();
    await remove();
  });

  it('warns that it is alone when no service runs here, and one that joins it does not', async () => {
    const first = await start('compute');
    assert.deepEqual(warnings(first), [
      'compute is alone: REDIS_URL and MONGODB_URL are empty and no Tidemark runs with this data folder, so it has ' +
        'started servers of its own. Only processes on this machine with the same DATA_DIR find them. To join a ' +
        'service, set REDIS_URL and MONGODB_URL to its servers',
    ]);
    assert.deepEqual(warnings(await start('market')), []);
  });

  it('names the one setting that is missing, and warns of nothing when both are set', async () => {
    const { redisUrl, mongodbUrl } = await testServers();
    const [warning] = warnings(await start('market', { MONGODB_URL: mongodbUrl }));
    assert.match(warning, /^market is alone: REDIS_URL is empty and no Tidemark runs/);
    const given = await start('compute', { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl });
    assert.deepEqual(warnings(given), []);
  });
});
