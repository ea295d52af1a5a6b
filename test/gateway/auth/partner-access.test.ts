import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { bodyV1, partnerClient, type PartnerClient } from '../../support/signals/partner-client.js';
import { until } from '../../support/process/until.js';

describe('the key of a partner', () => {
  let service: TestService;
  let partner: PartnerClient;
  let other: PartnerClient;
  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { TRUSTED_HOPS: '1' } });
    [partner, other] = [await partnerClient(service), await partnerClient(service)];
  });
  after(() => service.close());

  const routes = [
    ['GET', '/v1/channel'],
    ['POST', '/v1/signal'],
    ['POST', '/v2/signal'],
    ['POST', '/v1/signal/validate'],
    ['GET', '/v1/signal'],
    ['GET', '/v1/signal/x'],
    ['POST', '/v1/signal/x/call/takeprofit'],
    ['POST', '/v1/signal/x/call/trailingstop'],
    ['POST', '/v1/signal/x/call/rebuy'],
    ['POST', '/v1/signal/x/call/dca'],
    ['PUT', '/v1/signal/x/updateprice'],
    ['DELETE', '/v1/signal/x/cancel'],
  ] as const;

  const refused = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const answer = await fetch(service.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    return { status: answer.status, text: text.replace(/"requestId":"[^"]+"/, '') };
  };

  it('is refused in the same words whatever is wrong, on every route and before the body is read', async () => {
    const { 'svc-api-key': key, 'svc-api-secret': secret } = partner.headers;
    const wrong: Record<string, string>[] = [
      {},
      { 'svc-api-key': key },
      { 'svc-api-secret': secret },
      { 'svc-api-key': key, 'svc-api-secret': `${secret}x` },
      { 'svc-api-key': key, 'svc-api-secret': secret.slice(0, -1) },
      { 'svc-api-key': key, 'svc-api-secret': other.headers['svc-api-secret'] },
      { 'svc-api-key': secret, 'svc-api-secret': key },
      { 'svc-api-key': key.toUpperCase(), 'svc-api-secret': secret },
      { 'svc-api-key': '0'.repeat(32), 'svc-api-secret': secret },
      { 'svc-api-key': 'k'.repeat(7_000), 'svc-api-secret': 's'.repeat(7_000) },
      { 'svc-api-key': '{"$ne":1}', 'svc-api-secret': secret },
    ];
    const expected = {
      status: 403,
      text: '{"result":{"type":"UNAUTHORIZED"},"payload":{"message":"a valid key and secret are needed: headers svc-api-key and svc-api-secret",}}',
    };
    for (const [method, path] of routes)
      for (const headers of wrong) {
        const body = method === 'GET' ? undefined : '{ no JSON';
        assert.deepEqual(await refused(method, path, headers, body), expected, `${method} ${path}`);
      }
  });

  it('is refused in the same words in headers that are too large to be read', async () => {
    const headers = { 'svc-api-key': 'k'.repeat(100_000), 'svc-api-secret': 's' };
    for (const path of ['/v1/channel', '/v1/signal', '/v2/signal']) {
      const { status, text } = await refused('POST', path, headers, '{}');
      const { result } = JSON.parse(text.replace(',}', '}')) as { result: object };
      assert.deepEqual([status, result], [403, { type: 'UNAUTHORIZED' }], path);
    }
  });

  it('takes as long to refuse for an unknown key as for a wrong secret', async () => {
    const known = { ...partner.headers, 'svc-api-secret': 'wrong' };
    const unknown = { ...known, 'svc-api-key': '0'.repeat(32) };
    const none = {};
    const times: number[][] = [[], [], []];
    for (let n = 0; n < 60; n++)
      for (const [index, headers] of [known, unknown, none].entries()) {
        const start = performance.now();
        await refused('GET', '/v1/signal', headers);
        times[index].push(performance.now() - start);
      }
    const medians = times.map((each) => each.sort((one, two) => one - two)[30]);
    assert.ok(Math.max(...medians) < 3 * Math.min(...medians), medians.join(', '));
  });

  it('stops working the moment it is revoked', async () => {
    const leaving = await partnerClient(service);
    assert.equal((await leaving.ask('GET', '/v1/signal')).status, 200);
    await service.storage.partners.revokeKey(leaving.headers['svc-api-key']);
    assert.equal((await leaving.ask('GET', '/v1/signal')).status, 403);
  });

  it('works from the addresses that it is bound to, and tells nothing else to others', async () => {
    const bound = await partnerClient(service);
    await service.storage.partners.bindKey(bound.headers['svc-api-key'], { addresses: ['192.0.2.0/24'] });
    const from = async (address: string) =>
      (await bound.ask('GET', '/v1/signal', undefined, { 'x-forwarded-for': address })).status;
    assert.deepEqual([await from('192.0.2.1'), await from('192.0.3.1')], [200, 403]);
    const wrong = { ...bound.headers, 'x-forwarded-for': '192.0.3.1' };
    assert.deepEqual(await refused('GET', '/v1/signal', wrong), await refused('GET', '/v1/signal', {}));
  });

  it('keeps the time of its last use', async () => {
    const user = await partnerClient(service);
    await user.ask('GET', '/v1/signal');
    const lastUsed = async () => (await service.storage.partners.named(user.name))!.keys[0].lastUsedAt;
    const at = await until('the last use is stored', lastUsed);
    assert.ok(Date.now() - at.getTime() < 60_000);
  });

  it('does not open what needs a session, and a session does not open this', async () => {
    const asUser = await refused('GET', '/backend/signals', partner.headers);
    assert.equal(asUser.status, 401);
    const token = await service.signIn({ operator: true });
    assert.equal((await refused('GET', '/v1/signal', { 'session-token': token })).status, 403);
  });
});

describe('the limits of a partner', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService({
      computeNodes: 0,
      env: { RATE_SIGNALS: '4', RATE_COMMANDS: '6', RATE_GUEST: '5', TRUSTED_HOPS: '1' },
    });
  });
  after(() => service.close());

  it('count signals and commands apart, of all its keys together', async () => {
    const [one, other] = [await partnerClient(service), await partnerClient(service)];
    const create = async ({ ask }: PartnerClient) => (await ask('POST', '/v1/signal', bodyV1)).status;
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push(await create(one));
    assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
    assert.equal(await create(other), 200);
    const second = await service.storage.partners.addKey(one.name);
    assert.ok(typeof second === 'object');
    const own = { 'svc-api-key': second.key, 'svc-api-secret': second.secret };
    assert.equal((await one.ask('POST', '/v1/signal', bodyV1, own)).status, 429);
    const reads: number[] = [];
    for (let n = 0; n < 7; n++) reads.push((await one.ask('GET', '/v1/signal')).status);
    assert.deepEqual(reads, [200, 200, 200, 200, 200, 200, 429]);
  });

  it('charge guesses to the address, and a partner that was there before goes on', async () => {
    const partner = await partnerClient(service);
    const address = { 'x-forwarded-for': '198.51.100.7' };
    assert.equal((await partner.ask('GET', '/v1/signal', undefined, address)).status, 200);
    const guess = async () =>
      (
        await fetch(`${service.url}/v1/signal`, {
          headers: { ...address, 'svc-api-key': 'x', 'svc-api-secret': 'y' },
        })
      ).status;
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push(await guess());
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
    assert.equal((await partner.ask('GET', '/v1/signal', undefined, address)).status, 200);
  });
});
