import assert from 'node:assert/strict';
import { RoleChild } from '../../support/process/role-child.js';
import { testServers } from '../../support/servers/servers.js';

describe('a role that meets an unexpected error', () => {
  it('logs it as JSON, and ends', async () => {
    const { redisUrl, mongodbUrl } = await testServers();
    const role = await RoleChild.start('failing', { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl });
    role.process.send('fail');
    assert.equal(await role.exited, 1);
    const last = role.log.split('\n').findLast((line) => line.startsWith('{'));
    const { level, msg, err } = JSON.parse(last ?? '') as { level: number; msg: string; err: Error };
    assert.deepEqual(
      [level, msg, err.message],
      [60, 'the process ends on an unexpected error', 'not expected'],
    );
  });
});

describe('a role whose parent has ended', () => {
  it('ends in order, though it has something to report', async () => {
    const { redisUrl, mongodbUrl } = await testServers();
    const role = await RoleChild.start('failing', { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl });
    role.process.disconnect();
    assert.equal(await role.exited, 0);
    assert.equal(role.messages.at(-1), 'process stopped');
  });
});
