import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { postMcp, toolCall } from '../../../support/mcp/post-mcp.js';
import { OauthClientRig } from '../../../support/oauth/oauth-client.js';

describe('connected apps', () => {
  let service: TestService;
  let rig: OauthClientRig;
  let session: string;
  let userId: string;

  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { MARKET: 'demo' } });
    rig = new OauthClientRig(service);
  });
  after(() => service.close());
  beforeEach(async () => {
    session = await service.signIn();
    ({ userId } = (await service.deps.signedIn.find(session))!);
  });

  const ask = async (method: string, path: string, token = session) => {
    const answer = await fetch(service.url + path, { method, headers: { 'session-token': token } });
    // oxlint-disable-next-line typescript/no-explicit-any
    const { result, payload } = (await answer.json()) as { result: { type: string }; payload: any };
    return { status: answer.status, type: result.type, payload };
  };

  it('are listed once they have tokens, without any secret, and disconnected', async () => {
    await rig.consent({ userId });
    assert.deepEqual((await ask('GET', '/backend/apps')).payload, { apps: [] });
    const { access, refresh } = await rig.connect({ userId, scopes: ['read:portfolio'] });
    const { payload } = await ask('GET', '/backend/apps');
    const [{ id, created, expires, lastUsed, ...shown }, ...more] = payload.apps;
    assert.deepEqual(
      [shown, more],
      [{ name: 'A client', redirectHost: '127.0.0.1:7777', scopes: ['read:portfolio'] }, []],
    );
    assert.ok(Math.abs(Date.parse(created as string) - Date.now()) < 60_000);
    assert.ok(Date.parse(expires as string) - Date.parse(lastUsed as string) === 30 * 86_400_000);
    assert.deepEqual(await rig.call(access), [200, null]);

    assert.deepEqual((await ask('DELETE', `/backend/apps/${id}`)).payload, { disconnected: true });
    assert.deepEqual(await rig.call(access), [401, 'invalid_token']);
    assert.equal((await rig.refresh(refresh)).status, 400);
    assert.deepEqual((await ask('GET', '/backend/apps')).payload, { apps: [] });
    const again = await ask('DELETE', `/backend/apps/${id}`);
    assert.deepEqual([again.status, again.type], [404, 'INVALID_INPUT_ID']);
  });

  it('belong to their user: another can neither see nor disconnect them', async () => {
    const { access } = await rig.connect({ userId });
    const [{ id }] = (await ask('GET', '/backend/apps')).payload.apps;
    const other = await service.signIn();
    assert.deepEqual((await ask('GET', '/backend/apps', other)).payload, { apps: [] });
    assert.equal((await ask('DELETE', `/backend/apps/${id}`, other)).status, 404);
    assert.deepEqual(await rig.call(access), [200, null]);
  });

  it('are shown by the tool that says who has access', async () => {
    const { access } = await rig.connect({ userId });
    const { body } = await postMcp(service.url, toolCall('get_account_access', {}), {
      Authorization: `Bearer ${access}`,
    });
    const { apps } = body.result.structuredContent;
    assert.deepEqual(apps.columns, ['name', 'scopes', 'created_at', 'last_used_at', 'expires_at']);
    assert.deepEqual(apps.rows[0].slice(0, 2), [
      'A client',
      ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies'],
    ]);
    assert.match(String(body.result.content[0].text), /1 connected app/);
  });

  it('end with the password, and stay when sessions end', async () => {
    const { access } = await rig.connect({ userId });
    const headers = { 'session-token': session };
    assert.equal((await service.post('/backend/sessions/end', { keepThis: true }, headers)).status, 200);
    assert.deepEqual(await rig.call(access), [200, null]);
    const change = { currentPassword: 'a password', newPassword: 'another password' };
    assert.equal((await service.post('/backend/password', change, headers)).status, 200);
    assert.deepEqual(await rig.call(access), [401, 'invalid_token']);
  });
});
