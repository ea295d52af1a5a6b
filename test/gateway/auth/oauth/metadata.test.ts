import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { rawExchange } from '../../../support/gateway/raw-http.js';

const path = '/.well-known/oauth-authorization-server';

const expected = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  scopes_supported: ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${issuer}/docs`,
});

describe('metadata of the authorization server', () => {
  let local: TestService;
  let publicOne: TestService;

  before(async () => {
    local = await openTestService({ computeNodes: 0 });
    publicOne = await openTestService({ computeNodes: 0, env: { PUBLIC_URL: 'https://tidemark.example/' } });
  });
  after(async () => {
    await local.close();
    await publicOne.close();
  });

  it('names this service as its clients reach it', async () => {
    for (const [service, issuer] of [
      [local, local.url],
      [publicOne, 'https://tidemark.example'],
    ] as const) {
      const answer = await fetch(service.url + path);
      assert.equal(answer.status, 200);
      assert.deepEqual(await answer.json(), expected(issuer));
      const resource = await fetch(`${service.url}/.well-known/oauth-protected-resource/mcp`);
      const { authorization_servers } = (await resource.json()) as Record<string, unknown>;
      assert.deepEqual(authorization_servers, [issuer]);
    }
  });

  it('never follows a Host that is not ours, nor what proxies say of it', async () => {
    for (const host of ['evil.example', 'localhost@evil.example', 'localhost:80@evil.example', '']) {
      const text = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      const { answers } = await rawExchange(local.url, [text], { answers: 1 });
      assert.ok([400, 403].includes(answers[0].status), host);
    }
    const headers = {
      ...{ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher' },
      ...{ Forwarded: 'host=evil.example', 'X-Original-URL': '/evil' },
    };
    for (const service of [local, publicOne]) {
      const text = await (await fetch(service.url + path, { headers })).text();
      assert.ok(!text.includes('evil') && !text.includes('gopher'));
    }
  });

  it('and the endpoints of clients can be used by pages of any origin, without cookies', async () => {
    const Origin = 'https://inspector.example';
    for (const [method, target] of [
      ['GET', path],
      ['GET', '/.well-known/oauth-protected-resource/mcp'],
      ['POST', '/token'],
      ['POST', '/register'],
      ['POST', '/revoke'],
    ]) {
      const asked = {
        ...{ Origin, 'Access-Control-Request-Method': method },
        'Access-Control-Request-Headers': 'content-type,mcp-protocol-version',
      };
      const preflight = await fetch(local.url + target, { method: 'OPTIONS', headers: asked });
      assert.equal(preflight.status, 204, target);
      assert.equal(preflight.headers.get('access-control-allow-origin'), Origin);
      const allowed = preflight.headers.get('access-control-allow-headers')?.split(',') ?? [];
      assert.ok(allowed.includes('content-type') && allowed.includes('mcp-protocol-version'));
      const { headers } = await fetch(local.url + target, { method, headers: { Origin } });
      assert.equal(headers.get('access-control-allow-origin'), Origin);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
  });

  it('and nothing else; the connector is for pages of this machine', async () => {
    const allowed = async (target: string, origin: string) => {
      const asked = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
      const { headers } = await fetch(local.url + target, { method: 'OPTIONS', headers: asked });
      return headers.get('access-control-allow-origin');
    };
    for (const target of ['/backend/login', '/mcp', '/authorize', '/authorize/login', '/token/x'])
      assert.equal(await allowed(target, 'https://inspector.example'), null, target);
    assert.equal(await allowed('/mcp', 'http://localhost:6274'), 'http://localhost:6274');
    assert.equal(await allowed('/mcp', 'http://localhost.evil.example'), null);
    assert.equal(await allowed('/backend/login', 'http://localhost:6274'), null);
  });
});
