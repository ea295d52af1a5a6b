import assert from 'node:assert/strict';
import type { AppError } from '../../../../compute/model/errors.js';
import { createGateway } from '../../../../gateway/app.js';
import { openDeps } from '../../../../gateway/open-deps.js';
import { openMongo } from '../../../../storage/servers/mongo.js';
import { tokenKeyOf } from '../../../../storage/users/personal-tokens.js';
import { openLog } from '../../../../storage/process/log.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { until } from '../../../support/process/until.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';

const scopes = ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies'];

const expiresAt = new Date(Date.now() + 86_400_000);

describe('personal access tokens', () => {
  let service: TestService;
  let session: string;

  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { MARKET: 'demo' } });
    session = await service.signIn();
  });
  after(() => service.close());

  const ask = async (method: string, path: string, body?: object, token = session) => {
    const answer = await fetch(service.url + path, {
      method,
      headers: { 'session-token': token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // oxlint-disable-next-line typescript/no-explicit-any
    const { result, payload } = (await answer.json()) as { result: { type: string }; payload: any };
    return { status: answer.status, type: result.type, payload, headers: answer.headers };
  };
  const make = (body: object, token?: string) => ask('POST', '/backend/tokens', body, token);
  /** Calls a tool that needs a scope; the status, and the challenge of a refusal. */
  const callWith = async (authorization: string, url = service.url, name = 'ask_assistant') => {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(authorization === '' ? {} : { Authorization: authorization }),
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: { message: 'hello' } },
      }),
    });
    await answer.text();
    return [
      answer.status,
      answer.headers.get('www-authenticate')?.replace(/resource_metadata="[^"]*", /, ''),
    ];
  };

  it('are made, listed without their secret, used, and revoked', async () => {
    const made = await make({ name: 'laptop', expiresInDays: 7 });
    const { token, ...shown } = made.payload;
    assert.match(token, /^pat_[0-9a-f]{64}$/);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    assert.deepEqual([shown.name, shown.scopes, shown.lastUsed], ['laptop', scopes, null]);
    assert.equal(Date.parse(shown.expires) - Date.parse(shown.created), 7 * 86_400_000);
    assert.deepEqual((await ask('GET', '/backend/tokens')).payload, { tokens: [shown] });

    assert.deepEqual(await callWith(`Bearer ${token}`), [200, undefined]);
    await until('the use is stored', async () => {
      const { payload } = await ask('GET', '/backend/tokens');
      return payload.tokens[0].lastUsed !== null;
    });

    assert.equal((await ask('DELETE', `/backend/tokens/${shown.id}`)).status, 200);
    assert.deepEqual(await callWith(`Bearer ${token}`), [
      401,
      'Bearer error="invalid_token", scope="read:portfolio read:analysis ask:assistant write:strategies"',
    ]);
    assert.deepEqual((await ask('GET', '/backend/tokens')).payload, { tokens: [] });
    assert.equal((await ask('DELETE', `/backend/tokens/${shown.id}`)).type, 'INVALID_INPUT_ID');
  });

  it('allow what their scopes say, and no more', async () => {
    const { payload } = await make({ name: 'reader', scopes: ['read:portfolio'] });
    assert.deepEqual(await callWith(`Bearer ${payload.token}`), [
      403,
      'Bearer error="insufficient_scope", scope="ask:assistant"',
    ]);
    assert.deepEqual(await callWith(`Bearer ${payload.token}`, service.url, 'ask_guest_assistant'), [
      200,
      undefined,
    ]);
  });

  it('are no session tokens, and sessions are no bearer tokens', async () => {
    const { payload } = await make({ name: 'confused' });
    assert.equal((await ask('GET', '/backend/tokens', undefined, payload.token)).status, 401);
    assert.equal((await callWith(`Bearer ${session}`))[0], 401);
    for (const header of ['Bearer', 'Bearer a b', 'bearer x', `Basic ${payload.token}`, payload.token])
      assert.equal((await callWith(header))[0], 401, header);
    assert.equal((await callWith(`bearer ${payload.token}`))[0], 200);
    assert.equal((await callWith('Bearer pat_0', service.url, 'ask_guest_assistant'))[0], 401);
  });

  it('have a name of their own, a known scope and a lifetime of a day to a year', async () => {
    await make({ name: 'twice' });
    const again = await make({ name: 'twice' });
    assert.deepEqual([again.status, again.type], [409, 'INVALID_INPUT_NAME']);
    for (const [body, type] of [
      [{}, 'INVALID_INPUT_NAME'],
      [{ name: '' }, 'INVALID_INPUT_NAME'],
      [{ name: 'x'.repeat(61) }, 'INVALID_INPUT_NAME'],
      [{ name: 'a\u0000b' }, 'INVALID_INPUT_NAME'],
      [{ name: 'a', scopes: [] }, 'INVALID_INPUT_SCOPES'],
      [{ name: 'a', scopes: ['admin'] }, 'INVALID_INPUT_SCOPES'],
      [{ name: 'a', expiresInDays: 0 }, 'INVALID_INPUT_EXPIRES_IN_DAYS'],
      [{ name: 'a', expiresInDays: 366 }, 'INVALID_INPUT_EXPIRES_IN_DAYS'],
    ] as const) {
      const refused = await make(body);
      assert.deepEqual([refused.status, refused.type], [400, type], JSON.stringify(body));
    }
  });

  it('end with their time, 90 days unless another is chosen', async () => {
    const { token, created, expires } = (await make({ name: 'usual' })).payload;
    const [from, to] = [created, expires].map((each) => Date.parse(each as string));
    assert.equal(to - from, 90 * 86_400_000);
    const { personalTokens } = service.storage;
    const key = tokenKeyOf(token as string)!;
    assert.notEqual(await personalTokens.find(key, to - 1), null);
    assert.equal(await personalTokens.find(key, to), null);
  });

  it('are ten at most, however many are made at once', async () => {
    const other = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(other))!;
    // Not by requests: one that waits too long for a busy database is refused for that.
    const add = (name: string) =>
      service.storage.personalTokens.add({ userId, name, scopes: ['read:analysis'], expiresAt });
    const made = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => add(`t${n}`)));
    const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason as AppError] : []));
    assert.deepEqual(
      refused.map(({ code }) => code),
      Array.from({ length: 10 }, () => 'too_many_tokens'),
    );
    const { status, type } = await make({ name: 'one more' }, other);
    assert.deepEqual([status, type], [409, 'INVALID_INPUT_BODY']);
    assert.equal((await ask('GET', '/backend/tokens', undefined, other)).payload.tokens.length, 10);
  });

  it('belong to their user: another can neither see nor revoke them', async () => {
    const other = await service.signIn();
    const { payload } = await make({ name: 'mine' });
    assert.deepEqual((await ask('GET', '/backend/tokens', undefined, other)).payload, { tokens: [] });
    const foreign = await ask('DELETE', `/backend/tokens/${payload.id}`, undefined, other);
    assert.equal(foreign.status, 404);
    assert.equal((await callWith(`Bearer ${payload.token}`))[0], 200);
  });

  it('end at every gateway within a second of their revocation', async () => {
    const { settings, redisUrl, mongodbUrl } = service;
    const second = await openDeps({ settings, redisUrl, mongodbUrl, log: openLog(settings, 'test') });
    const url = await listenLocally(createGateway(second.deps));
    const { payload } = await make({ name: 'everywhere' }, await service.signIn());
    assert.equal((await callWith(`Bearer ${payload.token}`, url))[0], 200);
    await service.storage.personalTokens.revoke(
      (await service.storage.personalTokens.find(tokenKeyOf(payload.token)!))!.userId,
      payload.id,
    );
    // Without the message it would take the token for 60 s.
    await until(
      'the second gateway refuses it',
      async () => (await callWith(`Bearer ${payload.token}`, url))[0] === 401,
    );
    await second.close();
  });

  it('are nowhere in the database but as their SHA-256', async () => {
    const { payload } = await make({ name: 'secret' }, await service.signIn());
    const { db, close } = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
    for (const { name } of await db.listCollections().toArray()) {
      const text = JSON.stringify(await db.collection(name).find().toArray());
      assert.ok(!text.includes('pat_') && !text.includes(payload.token.slice(4)), name);
    }
    await close();
  });
});
