import assert from 'node:assert/strict';
import { accountUser, type AccountUser } from '../../../support/gateway/account-user.js';
import { openTestService, type TestAnswer, type TestService } from '../../../support/gateway/gateway.js';
import { bodyV1, partnerClient, type PartnerClient } from '../../../support/signals/partner-client.js';

describe('a member of a partner', () => {
  let service: TestService;
  let partner: PartnerClient;
  let other: PartnerClient;
  let member: AccountUser;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    [partner, other, member] = [
      await partnerClient(service),
      await partnerClient(service),
      await accountUser(service),
    ];
    await service.storage.partners.addMember(partner.name, member.userId);
  });
  after(() => service.close());

  async function ask(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<TestAnswer> {
    const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}/backend/partner${path}`, {
      method,
      headers: { 'session-token': member.token, ...type, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  }

  it('sends signals that are those of the partner, to the channel that they name', async () => {
    const { id: first } = (await ask('POST', '/channels', { name: 'First' })).payload;
    const { id: second } = (await ask('POST', '/channels', { name: 'Second', description: 'small caps' }))
      .payload;
    for (const [channel, expected] of [
      [undefined, first],
      [second, second],
    ]) {
      const { status, payload } = await ask('POST', '/signals', {
        ...bodyV1,
        ...(channel ? { channel } : {}),
      });
      assert.equal(status, 200);
      const id = payload.parent_signal_id as string;
      assert.equal((await service.storage.signals.find(partner.id, id))!.channelId, expected);
      const [own, theirs] = [
        await ask('GET', `/signals/${id}`),
        await partner.ask('GET', `/v1/signal/${id}`),
      ];
      assert.deepEqual(own.payload, theirs.payload);
    }
    const [own, theirs] = [await ask('GET', '/signals'), await partner.ask('GET', '/v1/signal')];
    assert.deepEqual(own.payload, theirs.payload);
    const elsewhere = await service.storage.channels.add({ partnerId: other.id, name: 'Other' });
    for (const channel of [elsewhere.id, 'nothing', 1]) {
      const { status, result } = await ask('POST', '/signals', { ...bodyV1, channel });
      assert.deepEqual([status, result.type], [400, 'INVALID_INPUT_CHANNEL']);
    }
  });

  it('is told every fault of a signal while it is typed, as a partner is', async () => {
    for (const body of [bodyV1, {}, { ...bodyV1, stop_loss: '300' }, { ...bodyV1, buy_price_min: 'x' }]) {
      const [own, theirs] = [
        await ask('POST', '/signals/validate', body),
        await partner.ask('POST', '/v1/signal/validate', body),
      ];
      assert.deepEqual([own.status, own.payload], [200, theirs.payload]);
    }
  });

  it('sends a signal once, however often it is sent with the same key', async () => {
    const key = { 'idempotency-key': 'one' };
    const [one, again] = [
      await ask('POST', '/signals', bodyV1, key),
      await ask('POST', '/signals', bodyV1, key),
    ];
    assert.deepEqual(one.payload, again.payload);
    assert.equal((await ask('POST', '/signals', { ...bodyV1, stop_loss: '91' }, key)).status, 400);
  });

  it('commands the signals of the partner alone, and it is recorded who did', async () => {
    const id = await partner.create();
    const foreign = await other.create();
    assert.equal((await ask('PUT', `/signals/${id}/prices`, { stop_loss: '95' })).status, 200);
    assert.equal((await ask('DELETE', `/signals/${id}`)).status, 200);
    assert.equal((await ask('DELETE', `/signals/${id}`)).status, 200);
    assert.equal((await ask('GET', `/signals/${id}`)).payload.status, 'cancelled');
    for (const [method, path] of [
      ['DELETE', `/signals/${foreign}`],
      ['GET', `/signals/${foreign}`],
    ])
      assert.equal((await ask(method, path)).status, 400);
    await service.deps.audit.close();
    const { events } = await service.storage.auditEvents.list({ userId: member.userId, limit: 50 });
    const recorded = events
      .filter(({ details }) => details.signal === id)
      .map(({ details }) => details.command);
    assert.deepEqual(recorded.sort(), ['cancel-signal', 'cancel-signal', 'update-prices']);
  });

  it('makes keys, whose secret is shown once, and revokes those of the partner alone', async () => {
    const { key, secret } = (await ask('POST', '/keys', {})).payload;
    assert.equal((await service.storage.partners.admit({ key, secret }, '::1'))?.partner.id, partner.id);
    const { keys, channels, name, limits } = (await ask('GET', '')).payload;
    assert.deepEqual([name, limits.keys, channels.length], [partner.name, 10, 2]);
    assert.deepEqual(
      keys.map((each: { key: string }) => each.key),
      [partner.headers['svc-api-key'], key],
    );
    assert.ok(!JSON.stringify(keys).includes(secret));
    assert.equal((await ask('DELETE', `/keys/${other.headers['svc-api-key']}`)).status, 404);
    assert.equal((await ask('DELETE', `/keys/${key}`)).status, 200);
    assert.equal(await service.storage.partners.admit({ key, secret }, '::1'), null);
  });

  it('is nobody any more once the operator has ended it', async () => {
    await service.storage.partners.removeMember(member.userId);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/signals'],
      ['POST', '/signals'],
      ['POST', '/keys'],
      ['POST', '/channels'],
    ]) {
      const body = path === '/channels' ? { name: 'New' } : path === '/signals' ? bodyV1 : {};
      const { status, payload } = await ask(method, path, method === 'GET' ? undefined : body);
      assert.deepEqual(
        [status, /act for no partner/.test(payload.message)],
        [403, true],
        `${method} ${path}`,
      );
    }
  });
});
