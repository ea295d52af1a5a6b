import assert from 'node:assert/strict';
import { createGateway } from '../../../../gateway/app.js';
import { openDeps } from '../../../../gateway/open-deps.js';
import { openLog } from '../../../../storage/process/log.js';
import { openMongo } from '../../../../storage/servers/mongo.js';
import { bearerCredential } from '../../../../storage/users/credential.js';
import type { AuthorizationTransaction } from '../../../../storage/oauth/transactions.js';
import { removeUser } from '../../../../storage/users/remove-user.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { rawExchange } from '../../../support/gateway/raw-http.js';
import { postMcp, rpc, toolCall } from '../../../support/mcp/post-mcp.js';
import { OauthClientRig, postForm, postJson } from '../../../support/oauth/oauth-client.js';
import { logLines } from '../../../support/process/log-lines.js';
import { until } from '../../../support/process/until.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';

const publicUrl = 'https://tidemark.example';

describe('access tokens of connected apps', function () {
  this.timeout(60_000);
  const { log, lines } = logLines();
  let service: TestService;
  let rig: OauthClientRig;

  before(async () => {
    const env = { MARKET: 'demo', PUBLIC_URL: publicUrl, RATE_OAUTH: '1000', TRUSTED_HOPS: '1' };
    service = await openTestService({ computeNodes: 0, env, log });
    rig = new OauthClientRig(service);
  });
  after(() => service.close());

  const revoke = (fields: Record<string, string>) =>
    postForm(`${service.url}/revoke`, { client_id: 'client_test', ...fields });

  describe('at the connector', () => {
    it('allow what their scopes say, and no more', async () => {
      const { access } = await rig.connect({ scopes: ['ask:assistant'] });
      assert.deepEqual(await rig.call(access), [403, 'insufficient_scope']);
      const authorization = { Authorization: `Bearer ${access}` };
      const message = toolCall('ask_assistant', { message: 'hello' });
      assert.equal((await postMcp(service.url, message, authorization)).status, 200);
    });

    it('are refused when they are for another service', async () => {
      for (const resource of ['https://other.example/mcp', `${service.url}/mcp`, publicUrl]) {
        const { access } = await rig.connect({ resource });
        assert.deepEqual(await rig.call(access), [401, 'invalid_token'], resource);
      }
    });

    it('are refused in any other form, also for public tools', async () => {
      const { access, refresh, code } = await rig.connect();
      for (const header of [
        'Bearer',
        'Bearer a b',
        'bearer x',
        `Bearer ${access}x`,
        `Basic ${access}`,
        access,
      ])
        for (const message of [rpc('tools/list'), toolCall('list_assets', {})])
          assert.equal((await postMcp(service.url, message, { Authorization: header })).status, 401, header);
      for (const secret of [refresh, code]) assert.deepEqual(await rig.call(secret), [401, 'invalid_token']);
      const query = await postMcp(
        `${service.url}/mcp?access_token=${access}`.replace('/mcp?', '?'),
        rpc('ping'),
      );
      assert.notEqual(query.status, 200);
      const body = JSON.stringify(toolCall('get_account_access', {}));
      const head = [
        'POST /mcp HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${access}`,
        `Authorization: Bearer ${access}`,
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${body.length}`,
      ].join('\r\n');
      const { answers } = await rawExchange(service.url, [`${head}\r\n\r\n${body}`], { answers: 1 });
      assert.equal(answers[0].status, 401);
    });

    it('open no session of another user', async () => {
      const initialize = rpc('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      });
      const owner = await rig.connect();
      const stranger = await rig.connect();
      const opened = await postMcp(service.url, initialize, { Authorization: `Bearer ${owner.access}` });
      const session = opened.headers.get('mcp-session-id');
      assert.ok(session);
      const call = (access: string) =>
        postMcp(service.url, toolCall('get_account_access', {}), {
          ...{ Authorization: `Bearer ${access}`, 'Mcp-Session-Id': session },
          'MCP-Protocol-Version': '2025-11-25',
        });
      assert.equal((await call(owner.access)).status, 200);
      assert.ok([403, 404].includes((await call(stranger.access)).status));
    });

    it('note when their app was last used', async () => {
      const { access, userId } = await rig.connect();
      const lastUse = async () => (await service.storage.grants.ofUser(userId))[0].lastUsedAt!;
      const { db, close } = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
      await db.collection('oauth_grants').updateMany({ userId }, { $set: { lastUsedAt: new Date(0) } });
      await close();
      assert.deepEqual(await rig.call(access), [200, null]);
      await until('the use is stored', async () => (await lastUse()).getTime() > 0);
      const stored = await lastUse();
      assert.deepEqual(await rig.call(access), [200, null]);
      assert.deepEqual(await lastUse(), stored);
    });
  });

  it('are no session tokens', async () => {
    const { access } = await rig.connect();
    for (const headers of [{ 'session-token': access }, { Authorization: `Bearer ${access}` }]) {
      const answer = await fetch(`${service.url}/backend/tokens`, { headers });
      assert.equal(answer.status, 401);
    }
    const { status } = await postMcp(service.url, rpc('ping'), { 'session-token': access });
    assert.equal(status, 401);
  });

  describe('end at once', () => {
    it('when they are revoked; the grant goes on', async () => {
      const { access, refresh } = await rig.connect();
      assert.deepEqual(await rig.call(access), [200, null]);
      assert.equal((await revoke({ token: access, client_id: 'client_test' })).status, 200);
      assert.deepEqual(await rig.call(access), [401, 'invalid_token']);
      assert.equal((await rig.refresh(refresh)).status, 200);
    });

    it('when the refresh token is revoked, by form or JSON, with any type hint', async () => {
      for (const send of [postForm, postJson]) {
        const { access, refresh } = await rig.connect();
        assert.deepEqual(await rig.call(access), [200, null]);
        const answer = await send(`${service.url}/revoke`, {
          token: refresh,
          token_type_hint: 'access_token',
          client_id: 'client_test',
        });
        assert.deepEqual([answer.status, answer.body], [200, {}]);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
        assert.deepEqual(await rig.call(access), [401, 'invalid_token']);
        assert.equal((await rig.refresh(refresh)).status, 400);
      }
    });

    it('when their user is removed', async () => {
      const { access, userId } = await rig.connect();
      assert.deepEqual(await rig.call(access), [200, null]);
      await removeUser(service.deps.storage, userId);
      assert.deepEqual(await rig.call(access), [401, 'invalid_token']);
    });

    it('at a second gateway, which would keep what it has read for 60 s', async () => {
      const { settings, redisUrl, mongodbUrl } = service;
      const second = await openDeps({ settings, redisUrl, mongodbUrl, log: openLog(settings, 'test') });
      const url = await listenLocally(createGateway(second.deps));
      const { access, refresh } = await rig.connect();
      await until('the second gateway keeps what it has read', async () => {
        await rig.call(access, url);
        return second.deps.signedIn.isPlausible(bearerCredential(access)!.key);
      });
      assert.deepEqual(await rig.call(access, url), [200, null]);
      await revoke({ token: refresh });
      await until('the second gateway refuses it', async () => (await rig.call(access, url))[0] === 401);
      await second.close();
    });
  });

  describe('POST /revoke', () => {
    it('answers 200 to unknown tokens and those of another client, without effect', async () => {
      const { access, refresh } = await rig.connect();
      for (const token of ['x', `oat_${'a'.repeat(43)}`, `ort_${'a'.repeat(43)}`, 'pat_'.padEnd(68, '0')])
        assert.deepEqual((await revoke({ token })).body, {});
      for (const token of [access, refresh])
        assert.equal((await revoke({ token, client_id: 'client_other' })).status, 200);
      assert.deepEqual(await rig.call(access), [200, null]);
      assert.equal((await rig.refresh(refresh)).status, 200);
    });

    it('refuses a request without token or client, which leaves the token, another type and another method', async () => {
      const { access, refresh: token } = await rig.connect();
      const none = await revoke({});
      assert.deepEqual([none.status, none.body.error], [400, 'invalid_request']);
      const anyone = await postForm(`${service.url}/revoke`, { token });
      assert.deepEqual([anyone.status, anyone.body.error], [400, 'invalid_request']);
      assert.deepEqual(await rig.call(access), [200, null]);
      const text = await postForm(`${service.url}/revoke`, 'token=x', { 'Content-Type': 'text/plain' });
      assert.deepEqual([text.status, text.body.error], [415, 'invalid_request']);
      const { status, headers } = await fetch(`${service.url}/revoke`);
      assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
    });
  });

  it('are listed for their user when their client, or a second use, ends them', async () => {
    const eventsOf = async (userId: string) => {
      await service.deps.audit.settled(userId);
      const { events } = await service.storage.auditEvents.list({ userId, limit: 9 });
      return events.map(({ event, address, details }) => [event, address, details]).reverse();
    };
    const [name, address] = ['A client', '127.0.0.1'];
    const one = await rig.connect();
    for (const token of [one.access, one.access, one.refresh, one.refresh]) await revoke({ token });
    assert.deepEqual(await eventsOf(one.userId), [
      ['token_revoked', address, { name, by: 'app' }],
      ['app_disconnected', address, { name, by: 'app' }],
    ]);
    const twice = await rig.connect();
    await Promise.all([1, 2, 3].map(() => rig.token(twice.exchange)));
    assert.deepEqual(await eventsOf(twice.userId), [['app_disconnected', address, { name, by: 'code' }]]);
    const reused = await rig.connect();
    await rig.refresh(reused.refresh);
    const { db, close } = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
    await db.collection('oauth_refresh_claims').updateMany({}, { $set: { until: new Date(0) } });
    await close();
    await Promise.all([1, 2, 3].map(() => rig.refresh(reused.refresh)));
    assert.deepEqual(await eventsOf(reused.userId), [['app_disconnected', address, { name, by: 'refresh' }]]);
  });

  it('and all other secrets of OAuth are nowhere in the database or the log but as their SHA-256', async () => {
    const { code, access, refresh } = await rig.connect();
    const { access_token, refresh_token } = (await rig.refresh(refresh)).body;
    const browser = 'a secret of the browser that nothing else contains';
    const asked: AuthorizationTransaction = {
      ...{ clientId: 'x', clientName: 'x', redirectUri: 'http://localhost/', state: null },
      ...{ challenge: 'x', challengeMethod: 'S256', scopes: [], resource: 'x' },
    };
    const page = await service.storage.authorizations.begin(asked, browser);
    await rig.call(access);
    await rig.call(`${access.slice(0, -1)}_`);
    await fetch(`${service.url}/token?code=${code}`);
    const secrets = [code, access, refresh, access_token, refresh_token, browser, page].map(String);
    const { db, close } = openMongo(service.mongodbUrl, { timeoutMs: 10_000 });
    const texts = [JSON.stringify(lines)];
    for (const { name } of await db.listCollections().toArray())
      texts.push(JSON.stringify(await db.collection(name).find().toArray()));
    await close();
    await until('requests are in the log', () => Promise.resolve(lines.length >= 5));
    for (const text of texts)
      for (const secret of secrets) assert.ok(!text.includes(secret.replace(/^o.._/, '')));
  });
});
