import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { signatureOf, type ToSign } from '../../support/gateway/signed.js';
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
    const second = await service.storage.partners.addKey(
      one.name,
      await service.deps.exchanges.exchanges.box(),
    );
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

describe('a signed request of a partner', () => {
  let service: TestService;
  let partner: PartnerClient;
  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { TRUSTED_HOPS: '1', RATE_GUEST: '5' } });
    partner = await partnerClient(service);
  });
  after(() => service.close());

  const body = JSON.stringify(bodyV1);
  const create = { method: 'POST', target: '/v1/signal', body };
  const read = { target: '/v1/signal' };
  const seconds = (off: number) => String(Math.floor(Date.now() / 1_000) + off);
  let networks = 0;

  /** Sends one request, of an address of its own, that another may have been signed for. */
  async function send(
    client: PartnerClient,
    { method = 'GET', target, body: sent }: ToSign,
    { signed = {}, headers = {} }: { signed?: Partial<ToSign>; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; type: string; message: string }> {
    const { 'svc-api-key': key, 'svc-api-secret': secret } = client.headers;
    const answer = await fetch(service.url + target, {
      method,
      headers: {
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
        'x-forwarded-for': `198.51.100.${++networks}`,
        'svc-api-key': key,
        ...signatureOf({ method, target, body: sent ?? '', secret, ...signed }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: String(sent) }),
    });
    const { result, payload } = (await answer.json()) as {
      result: { type: string };
      payload: { message?: string };
    };
    return { status: answer.status, type: result.type, message: payload.message ?? '' };
  }
  const statusOf = async (...args: Parameters<typeof send>) => (await send(...args)).status;

  const refusal = {
    ...{ status: 403, type: 'UNAUTHORIZED' },
    message: 'a valid key and signature are needed: headers svc-api-key, x-timestamp and x-signature',
  };

  it('is taken without the secret: with a body and with a query', async () => {
    assert.equal(await statusOf(partner, create), 200);
    assert.equal(await statusOf(partner, { target: '/v1/signal?status=cancelled' }), 200);
    assert.equal(await statusOf(partner, read, { signed: { timestamp: String(Date.now()) } }), 200);
    const { message } = await send(partner, { ...create, body: '{"coin": "BTC"' });
    assert.match(message, /JSON/);
  });

  it('is refused in the same words if anything in it was changed, or is signed with another secret', async () => {
    const other = await partnerClient(service);
    const otherSecret = other.headers['svc-api-secret'];
    const revoked = await partnerClient(service);
    assert.equal(await statusOf(revoked, read), 200);
    await service.storage.partners.revokeKey(revoked.headers['svc-api-key']);
    const wrong: [what: string, ...Parameters<typeof send>][] = [
      ['body', partner, create, { signed: { body: body.replace('110', '111') } }],
      ['no body', partner, create, { signed: { body: '' } }],
      ['path', partner, create, { signed: { target: '/v2/signal' } }],
      ['query', partner, read, { signed: { target: '/v1/signal?status=cancelled' } }],
      ['method', partner, create, { signed: { method: 'PUT' } }],
      ['secret', partner, read, { signed: { secret: 'wrong' } }],
      ['secret of another partner', partner, read, { signed: { secret: otherSecret } }],
      ['key of another partner', partner, read, { headers: { 'svc-api-key': other.headers['svc-api-key'] } }],
      ['unknown key', partner, read, { headers: { 'svc-api-key': '0'.repeat(32) } }],
      ['revoked key', revoked, read],
      ['time', partner, read, { headers: { 'x-timestamp': seconds(-100) } }],
      ['no time', partner, read, { headers: { 'x-timestamp': '' } }],
      [
        'a right secret beside it',
        partner,
        read,
        {
          signed: { secret: 'wrong' },
          headers: { 'svc-api-secret': partner.headers['svc-api-secret'] },
        },
      ],
    ];
    for (const [what, ...args] of wrong) assert.deepEqual(await send(...args), refusal, what);
  });

  it('is refused when its time is over 300 s off, and told so', async () => {
    const at = (off: number) => send(partner, read, { signed: { timestamp: seconds(off) } });
    assert.deepEqual([(await at(-290)).status, (await at(290)).status], [200, 200]);
    const { status, message } = await at(-400);
    assert.equal(status, 403);
    assert.match(message, /^x-timestamp is 40\d s behind the server; at most 300 s are accepted$/);
  });

  it('is charged to the address if it is a guess, and a partner that has signed before goes on', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    assert.equal(await statusOf(partner, read, { headers }), 200);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++)
      statuses.push(await statusOf(partner, read, { headers, signed: { secret: 'guess' } }));
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
    assert.equal(await statusOf(partner, read, { headers }), 200);
  });

  it('is needed where the operator requires it', async () => {
    service.deps.settings.PARTNER_SIGNATURES = 'require';
    try {
      const unsigned = await partner.ask('GET', '/v1/signal');
      assert.deepEqual(
        [unsigned.status, (unsigned.payload as { message: string }).message],
        [403, refusal.message],
      );
      assert.equal(await statusOf(partner, create), 200);
      const headers = { 'x-forwarded-for': '203.0.113.8' };
      const statuses: number[] = [];
      for (let n = 0; n < 6; n++)
        statuses.push((await partner.ask('GET', '/v1/signal', undefined, headers)).status);
      assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
    } finally {
      service.deps.settings.PARTNER_SIGNATURES = 'allow';
    }
  });
});
