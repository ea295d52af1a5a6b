import assert from 'node:assert/strict';
import { completeWritesSchedule } from '../../../jobs/schedules/complete-writes.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { removeUser } from '../../../storage/users/remove-user.js';
import type { User } from '../../../storage/users/users.js';
import { numberedBacktest } from '../../support/backtests/numbered-backtests.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { scheduleToolsOf } from '../../support/jobs/schedule-tools.js';
import { cutWrites } from '../../support/servers/cut-writes.js';
import {
  collectionsOf,
  collectionsOfUsers,
  collectionsWith,
  connectedExchange,
  userWithData,
} from '../../support/servers/user-data.js';

describe('the schedule that completes writes', function () {
  this.timeout(60_000);
  let service: TestService;
  let mongo: Mongo;
  let other: User;
  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { EXCHANGES: 'BINANCE=binance' } });
    mongo = openMongo(service.mongodbUrl, { timeoutMs: 20_000 });
    other = await userWithData(service.storage);
  });
  after(async () => {
    await mongo.close();
    await service.close();
  });
  const run = (signal = new AbortController().signal) =>
    completeWritesSchedule.run(scheduleToolsOf(service), signal);
  const left = (userId: string) => collectionsWith(mongo.db, userId);

  afterEach(async () => {
    assert.deepEqual(await left(other.id), collectionsOfUsers);
    assert.equal(await run(), 'nothing to complete');
  });

  it('ends the removal of users, wherever it was cut off', async () => {
    let user: User;
    const cutOff: string[] = [];
    const writes = await cutWrites(service.mongodbUrl, {
      prepare: async () => void (user = await userWithData(service.storage)),
      work: (storage) => removeUser(storage, user.id),
      check: async () => void cutOff.push(user.id),
    });
    assert.equal(cutOff.length, writes);
    assert.equal(await run(), `${writes - 1} users removed`);
    // The first was cut off before its removal was noted.
    const found = await collectionsOf(mongo.db, cutOff);
    assert.deepEqual([...found.values()], [collectionsOfUsers, ...cutOff.slice(1).map(() => [])]);
  });

  it('removes data of users who do not exist', async () => {
    const ids = ['0123456789abcdef01234567', 'no id'];
    const late = numberedBacktest('written after its user was removed', 1);
    await service.storage.backtests.add([late]);
    for (const userId of ids) {
      await connectedExchange(service.storage, userId);
      await service.storage.sessions.open(userId, 'web');
      await service.storage.identities.link({ issuer: 'x', subject: userId }, userId);
    }
    assert.equal(await run(), '3 removed users with data left');
    for (const userId of [...ids, late.userId]) assert.deepEqual(await left(userId), []);
  });

  it('adds the account of a connection that lacks one, which is then read', async () => {
    const { id } = await userWithData(service.storage);
    await service.storage.accounts.remove(id, 'BINANCE');
    assert.equal(await run(), '1 connections without an account');
    const due = await service.storage.accounts.due({
      ...{ nowMs: Date.now(), watched: [], sinceMs: 0, limit: 100 },
      exchanges: { only: 'BINANCE' },
    });
    assert.ok(due.some(({ userId, exchange }) => userId === id && exchange === 'BINANCE'));
  });

  it('refreshes positions of an account that is gone', async () => {
    const { id } = await userWithData(service.storage);
    const { accounts, connections, positions } = service.storage;
    await connections.remove(id, 'BINANCE');
    await accounts.remove(id, 'BINANCE');
    assert.equal(await run(), '1 users with positions of no account');
    assert.deepEqual((await positions.find(id))!.accounts, []);
  });

  it('ends when it is told to', async () => {
    await assert.rejects(run(AbortSignal.abort(new Error('over'))), { message: 'over' });
  });
});
