import assert from 'node:assert/strict';
import { forOwners, type OwnedDocuments } from '../../../storage/users/for-owners.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('work for the owners of documents', () => {
  const context = temporaryStorage();
  const userIds = Array.from({ length: 7 }, (_, n) => `user-${n}`);
  before(async () => {
    const sessions = userIds.flatMap((userId) => [{ userId }, { userId }]);
    await context.db
      .collection('sessions')
      .insertMany(sessions.map((each) => ({ ...each, createdAt: new Date() })));
  });

  it('is done once for each, also for more than are read at a time', async () => {
    const reads: string[][] = [];
    const inThrees: OwnedDocuments = {
      owners: (afterId) => context.storage.sessions.owners(afterId, 3),
    };
    const sum = await forOwners(inThrees, new AbortController().signal, async (owners) => {
      reads.push([...owners]);
      return owners.length;
    });
    assert.equal(sum, 7);
    assert.deepEqual(reads.flat(), userIds);
    // Three documents are at most two users.
    assert.ok(reads.length > 3);
  });

  it('ends when it is told to', async () => {
    const signal = AbortSignal.abort(new Error('over'));
    const never = () => Promise.reject(new Error('called'));
    await assert.rejects(forOwners(context.storage.sessions, signal, never), { message: 'over' });
  });
});
