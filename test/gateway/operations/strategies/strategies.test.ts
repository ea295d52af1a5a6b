import assert from 'node:assert/strict';
import type { ShownStrategy } from '../../../../gateway/operations/strategies/saved-strategy-fields.js';
import { removeUser } from '../../../../storage/users/remove-user.js';
import { accountUser, type AccountUser } from '../../../support/gateway/account-user.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import { postMcp, toolCall } from '../../../support/mcp/post-mcp.js';
import { openTestService, type TestAnswer, type TestService } from '../../../support/gateway/gateway.js';

const rules = (right = 30) => ({ long: { entry: { left: 'rsi_14', op: '<', right } } });

describe('strategies that users save', () => {
  let service: TestService;
  let user: AccountUser;
  let other: AccountUser;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    [user, other] = [await accountUser(service), await accountUser(service)];
  });
  after(() => service.close());

  const send = async (by: AccountUser, method: string, path: string, body?: unknown): Promise<TestAnswer> => {
    const answer = await fetch(`${service.url}/backend/strategies${path}`, {
      method,
      headers: { 'session-token': by.token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };
  const save = async (by: AccountUser, name: string, strategy: object = rules()) =>
    (await send(by, 'POST', '', { name, strategy })).payload as ShownStrategy;

  it('are saved, listed, read by version, changed, shared, and deleted', async () => {
    const saved = await save(user, 'RSI');
    assert.deepEqual([saved.name, saved.version, saved.rules], ['RSI', 1, rules()]);
    const { payload: changed } = await send(user, 'PUT', `/${saved.id}`, { strategy: rules(25) });
    assert.deepEqual([changed.version, changed.versions.length, changed.rules], [2, 2, rules(25)]);
    // Other spellings of equal rules make no version.
    const spelt = { long: { entry: { right: '25.0', op: '<', left: 'RSI_14' } } };
    assert.equal((await send(user, 'PUT', `/${saved.id}`, { strategy: spelt })).payload.version, 2);
    const first = await send(user, 'GET', `/${saved.id}?version=1`);
    assert.deepEqual(
      [first.payload.version, first.payload.rules, first.payload.hash],
      [1, rules(), saved.hash],
    );
    const { payload: list } = await send(user, 'GET', '?limit=5');
    const { id, name, description, updatedAt } = changed;
    assert.deepEqual(list, {
      strategies: [{ id, name, description, version: 2, hash: changed.hash, updatedAt }],
      nextCursor: null,
    });
    assert.equal((await send(user, 'DELETE', `/${id}`)).payload.deleted, true);
    assertRefused(await send(user, 'GET', `/${id}`), { status: 404, type: 'INVALID_INPUT_ID', field: 'id' });
  });

  it('are for others the 404 of none, and by a shared hash rules and name without an owner', async () => {
    const saved = await save(user, 'mine', rules(20));
    const none = `str_${'a'.repeat(20)}`;
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { strategy: rules(1) }],
      ['POST', '/share', { version: 1, shared: true }],
      ['DELETE', '', undefined],
    ] as const)
      for (const id of [saved.id, none]) {
        const answer = await send(other, method, `/${id}${path}`, body);
        assertRefused(answer, { status: 404, type: 'INVALID_INPUT_ID', field: 'id' }, method);
        assert.equal(answer.payload.message, `there is no saved strategy "${id}"`);
      }
    const shared = `/shared/${saved.hash}`;
    const unshared = { status: 404, type: 'INVALID_INPUT_HASH', field: 'hash' };
    assertRefused(await send(other, 'GET', shared), unshared);
    await send(user, 'POST', `/${saved.id}/share`, { version: 1, shared: true });
    assert.deepEqual((await send(other, 'GET', shared)).payload, {
      name: 'mine',
      hash: saved.hash,
      rules: rules(20),
    });
    await send(user, 'POST', `/${saved.id}/share`, { version: 1, shared: false });
    assertRefused(await send(other, 'GET', shared), unshared);
  });

  it('are refused where their rules, name or text are at fault, by path', async () => {
    for (const [body, field, message] of [
      [{ name: 'x', strategy: {} }, 'strategy', /a strategy needs "long" or "short"/],
      [{ name: 'x', strategy: { long: {} } }, 'strategy.long.entry', /"entry" is missing/],
      [{ name: 'x', strategy: 'ema' }, 'strategy', /must be of type object/],
      [{ name: '', strategy: rules() }, 'name', /name/],
      [{ name: 'x'.repeat(81), strategy: rules() }, 'name', /80/],
      [{ name: 'a\u0007b', strategy: rules() }, 'name', /control characters/],
      [{ name: 'x', description: 'y'.repeat(2_001), strategy: rules() }, 'description', /2000/],
    ] as const) {
      const answer = await send(user, 'POST', '', body);
      const type = `INVALID_INPUT_${field.split('.')[0].toUpperCase()}`;
      assertRefused(answer, { status: 400, type, field });
      assert.match(answer.payload.message, message);
    }
    const large = { ...rules(), params: {}, note: 'x'.repeat(17_000) };
    const answer = await send(user, 'POST', '', { name: 'x', strategy: large });
    assertRefused(answer, { status: 400, type: 'INVALID_INPUT_STRATEGY', field: 'strategy' });
    for (const [method, path] of [
      ['GET', '/str_1'],
      ['GET', `/str_${'a'.repeat(20)}?version=0`],
      ['GET', '/shared/abc'],
    ])
      assert.equal((await send(user, method, path)).status, 400, path);
  });

  it('are at most 10 on the plan free, also when saved at once', async () => {
    const full = await accountUser(service);
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, n) => send(full, 'POST', '', { name: `s${n}`, strategy: rules() })),
    );
    const saved = answers.filter(({ status }) => status === 200).length;
    const stored = async () => (await send(full, 'GET', '?limit=100')).payload.strategies.length as number;
    assert.equal(await stored(), saved);
    for (let n = saved; n < 10; n++) await save(full, 'one more');
    const refused = await send(full, 'POST', '', { name: 'too many', strategy: rules() });
    assert.equal(refused.status, 409);
    assert.match(refused.payload.message, /the plan free keeps at most 10 strategies: delete one first/);
    assert.equal(await stored(), 10);
  });

  it('are read by a token with read:analysis, and written by one with write:strategies', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    const own = { userId: user.userId, expiresAt };
    const tokens = service.storage.personalTokens;
    const reading = await tokens.add({ ...own, name: 'r', scopes: ['read:analysis'] });
    const writing = await tokens.add({ ...own, name: 'w', scopes: ['write:strategies'] });
    const by = (secret: string, method: string, body?: object) =>
      fetch(`${service.url}/backend/strategies`, {
        method,
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const body = { name: 'by token', strategy: rules() };
    const statuses = await Promise.all([
      by(reading.secret, 'GET'),
      by(writing.secret, 'POST', body),
      by(reading.secret, 'POST', body),
      by(writing.secret, 'GET'),
    ]);
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 200, 403, 403],
    );
  });

  it('are run by id, by version, and by the hash of a shared version', async () => {
    const saved = await save(user, 'to run', rules(41));
    await send(user, 'PUT', `/${saved.id}`, { strategy: rules(42) });
    const check = async (by: AccountUser, strategy: unknown): Promise<unknown> => {
      const { status, result, payload } = await by.post('/backend/research/check', { strategy });
      return status === 200 ? payload.hash : [status, result.type, payload.field];
    };
    const [first, second] = [await check(user, rules(41)), await check(user, rules(42))];
    assert.deepEqual([await check(user, saved.id), await check(user, `${saved.id}@1`)], [second, first]);
    const refused = [404, 'INVALID_INPUT_STRATEGY', 'strategy'];
    for (const named of [saved.id, `${saved.id}@1`, first])
      assert.deepEqual(await check(other, named), refused);
    assert.deepEqual(await check(user, `${saved.id}@3`), refused);
    await send(user, 'POST', `/${saved.id}/share`, { version: 1, shared: true });
    assert.equal(await check(other, first), first);
    assert.deepEqual(await check(other, second), refused);
    const guest = await service.post('/backend/research/check', { strategy: saved.id });
    assert.equal(guest.status, 404);
  });

  it('are saved and listed by AI clients whose token allows it', async () => {
    const owner = await accountUser(service);
    const expiresAt = new Date(Date.now() + 86_400_000);
    const add = async (scope: 'read:analysis' | 'write:strategies') =>
      (
        await service.storage.personalTokens.add({
          userId: owner.userId,
          name: scope,
          scopes: [scope],
          expiresAt,
        })
      ).secret;
    const [reading, writing] = [await add('read:analysis'), await add('write:strategies')];
    const call = (secret: string, name: string, args: object) =>
      postMcp(service.url, toolCall(name, args), { Authorization: `Bearer ${secret}` });
    const strategy = { long: { ...rules(33).long, stopLoss: { percent: 4 } } };
    const saved = await call(writing, 'save_strategy', { name: 'by a client', strategy });
    assert.equal(saved.body.result.isError ?? false, false, JSON.stringify(saved.body));
    const { id } = saved.body.result.structuredContent;
    assert.deepEqual((await send(owner, 'GET', `/${id}`)).payload.rules, strategy);
    assert.equal((await call(reading, 'save_strategy', { name: 'x', strategy })).status, 403);
    const list = await call(reading, 'list_saved_strategies', {});
    assert.match(list.body.result.content[0].text, /^1 saved strategy; changed last: "by a client" \(str_/);
    const wrong = await call(writing, 'save_strategy', { name: 'x', strategy: { long: {} } });
    assert.equal(wrong.body.result.isError, true);
    assert.match(wrong.body.result.content[0].text, /"entry" is missing/);
  });

  it('go with their user, shared ones too', async () => {
    const leaving = await accountUser(service);
    const saved = await save(leaving, 'gone', rules(11));
    await send(leaving, 'POST', `/${saved.id}/share`, { version: 1, shared: true });
    await removeUser(service.storage, leaving.userId);
    assert.equal((await send(user, 'GET', `/shared/${saved.hash}`)).status, 404);
    const kept = await service.storage.savedStrategies.list(leaving.userId, { limit: 10 });
    assert.deepEqual(kept.strategies, []);
  });
});
