import assert from 'node:assert/strict';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('work for the owners of documents', () => {
  const context = temporaryStorage();
  const userIds = Array.from({ length: 501 }, (_, n) => `user-${String(n).padStart(3, '0')}`);
  before(async () => {
    const sessions = userIds.flatMap((userId) => [{ userId }, { userId }]);
    await context.db
      .collection('sessions')
      .insertMany(sessions.map((each) => ({ ...each, createdAt: new Date() })));
  });

  it('is done once for each, also for more than are read at a time', async () => {
    const reads: string[][] = [];
    const { signal } = new AbortController();
    const sum = await context.storage.owned.forOwners('sessions', signal, async (owners) => {
      reads.push([...owners]);
      return owners.length;
    });
    assert.equal(sum, 501);
    assert.deepEqual(reads.flat(), userIds);
    // 500 documents are at most 250 users.
    assert.ok(reads.length > 2);
  });

  it('ends when it is told to', async () => {
    const signal = AbortSignal.abort(new Error('over'));
    const never = () => Promise.reject(new Error('called'));
    await assert.rejects(context.storage.owned.forOwners('sessions', signal, never), { message: 'over' });
  });
});
