import assert from 'node:assert/strict';
import { accountUser, type AccountUser } from '../../../support/gateway/account-user.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { partnerClient, type PartnerClient } from '../../../support/signals/partner-client.js';

describe('POST /backend/signals/<id>/close', () => {
  let service: TestService;
  let partner: PartnerClient;
  let user: AccountUser;
  let other: AccountUser;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    [partner, user, other] = [
      await partnerClient(service),
      await accountUser(service),
      await accountUser(service),
    ];
  });
  after(() => service.close());

  /** A signal that both users follow; they follow another one, too. */
  async function delivered(more: object = {}): Promise<string> {
    const [signalId, another] = [await partner.create(), await partner.create()];
    const of = ({ userId }: AccountUser, signal: string) =>
      makeStoredExecution({ id: `${signal}:${userId}`, userId, signalId: signal, dueAt: null, ...more });
    const all = [user, other].flatMap((each) => [of(each, signalId), of(each, another)]);
    await service.storage.executions.addAll(all);
    return signalId;
  }

  const wishes = async () => {
    const found = await Promise.all(
      [user, other].map(({ userId }) => service.storage.executions.openOf(userId, 'PAPER')),
    );
    return found
      .flat()
      .flatMap(({ wish, userId, signalId, dueAt }) =>
        wish === 'close' ? [{ userId, signalId, isDue: dueAt !== null }] : [],
      );
  };

  it("asks for the close of the caller's execution of that signal alone, and twice is once", async () => {
    const signalId = await delivered();
    const path = `/backend/signals/${signalId}/close`;
    for (const body of [{}, { exchange: 'PAPER' }]) {
      const { status, payload } = await user.post(path, body);
      assert.equal(status, 200);
      assert.deepEqual(payload, (await user.get(`/backend/signals/${signalId}`)).payload);
      assert.deepEqual(await wishes(), [{ userId: user.userId, signalId, isDue: true }]);
    }
  });

  it('changes nothing of an execution that has ended', async () => {
    const signalId = await delivered({ status: 'closed', endedAt: new Date(), wish: null });
    const { status, payload } = await user.post(`/backend/signals/${signalId}/close`);
    assert.deepEqual([status, payload.status], [200, 'closed']);
    assert.equal(
      (await wishes()).some((each) => each.signalId === signalId),
      false,
    );
  });

  it('is unknown where it was not delivered, or is executed elsewhere', async () => {
    const signalId = await partner.create();
    for (const [id, body, status] of [
      [signalId, {}, 404],
      ['nothing', {}, 404],
      [await delivered(), { exchange: 'BINANCE' }, 404],
      [signalId, { exchange: 'NOWHERE' }, 400],
      [signalId, { unknown: 1 }, 400],
    ] as const)
      assert.equal((await user.post(`/backend/signals/${id}/close`, body)).status, status);
  });
});
