import assert from 'node:assert/strict';
import { allAnalyses } from '../../../compute/analyses.js';
import { tools } from '../../../gateway/mcp/tools.js';
import { documentPath } from '../../../gateway/openapi/document-path.js';
import { openApi } from '../../../gateway/openapi/document.js';
import type { Route } from '../../../gateway/routes/route.js';
import { routeTable } from '../../../gateway/routes/table.js';
import { tokenScopes, type TokenScope } from '../../../storage/users/token-scopes.js';
import { accountUser } from '../../support/gateway/account-user.js';
import { openTestService, type TestAnswer, type TestService } from '../../support/gateway/gateway.js';
import { rawExchange } from '../../support/gateway/raw-http.js';
import { OauthClientRig } from '../../support/oauth/oauth-client.js';
import { Scrape } from '../../support/servers/scrape.js';

const dayMs = 86_400_000;
const ownRoutes = routeTable.filter(
  ({ surface, operation }) => surface === 'envelope' && operation.scope !== 'public',
);

describe('tokens over REST', function () {
  this.timeout(60_000);
  let service: TestService;
  let session: string;
  let userId: string;
  const secrets: Partial<Record<TokenScope, string>> = {};

  before(async () => {
    const env = { RATE_GUEST: '6', TRUSTED_HOPS: '1' };
    service = await openTestService({ computeNodes: 0, measured: true, env });
    ({ token: session, userId } = await accountUser(service));
    for (const scope of tokenScopes) secrets[scope] = await make(scope, [scope]);
  });
  after(() => service.close());

  const make = async (name: string, scopes: TokenScope[] = [...tokenScopes], expiresInMs = dayMs) => {
    const expiresAt = new Date(Date.now() + expiresInMs);
    return (await service.storage.personalTokens.add({ userId, name, scopes, expiresAt })).secret;
  };

  /** From another network each time. */
  let asked = 0;
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<TestAnswer> => {
    asked++;
    const answer = await fetch(service.url + path, {
      method,
      headers: {
        'x-forwarded-for': `2001:db8:${asked}::1`,
        ...headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };
  const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });
  const call = ({ method, path }: Route, secret: string) =>
    ask(method, path, bearer(secret), method === 'GET' ? undefined : '{"unknown":1}');

  it('need the scope that each operation names, and say which is missing', async () => {
    for (const route of ownRoutes) {
      const { tokenScope } = route.operation;
      if (tokenScope === undefined) continue;
      for (const scope of tokenScopes) {
        const { status, headers, payload } = await call(route, secrets[scope]!);
        const what = `${route.method} ${route.path} with ${scope}`;
        if (scope === tokenScope) {
          assert.ok(status !== 401 && status !== 403, `${what}: ${status}`);
          continue;
        }
        assert.equal(status, 403, what);
        assert.equal(
          payload.message,
          `the token does not allow this: ${tokenScope} is needed, it has ${scope}`,
        );
        const found = headers.get('www-authenticate');
        assert.equal(found, `Bearer error="insufficient_scope", scope="${tokenScope}"`);
      }
    }
  });

  it('never manage the account, trade, or operate the service', async () => {
    const secret = await make('everything');
    await service.storage.users.setOperator(userId, true);
    const closed = ownRoutes.filter(({ operation }) => operation.tokenScope === undefined);
    for (const route of closed) {
      const { status, payload } = await call(route, secret);
      assert.equal(status, 403, `${route.method} ${route.path}`);
      assert.match(payload.message, /^no token allows [\w-]+: a session is needed/);
    }
    assert.deepEqual([...new Set(closed.map(({ operation }) => operation.id))].sort(), [
      'add-partner-channel',
      'add-partner-key',
      'add-subscription',
      'ask-verification',
      'change-partner-channel',
      'change-password',
      'change-subscription',
      'close-all',
      'close-signal',
      'connect-exchange',
      'create-token',
      'delete-account',
      'delete-conversation',
      'disconnect-app',
      'disconnect-exchange',
      'end-session',
      'end-sessions',
      'get-partner',
      'get-preferences',
      'list-apps',
      'list-audit',
      'list-sessions',
      'list-tokens',
      'logout',
      'member-add-dca',
      'member-add-rebuy',
      'member-add-take-profit',
      'member-add-trailing-stop',
      'member-cancel-signal',
      'member-create-signal-v1',
      'member-get-partner-signal',
      'member-list-partner-signals',
      'member-update-prices',
      'member-validate-signal-v1',
      'operator-activity',
      'operator-cancel',
      'operator-cluster',
      'operator-drop',
      'operator-retry',
      'operator-retry-all',
      'operator-run-schedule',
      'pause-trading',
      'put-preferences',
      'remove-subscription',
      'resume-trading',
      'revoke-partner-key',
      'revoke-token',
    ]);
  });

  it('are not needed for these alone, and for the analyses that say that they are public', () => {
    const named = new Set<string>(allAnalyses.map(({ name }) => name));
    const open = routeTable.filter(({ operation: { id, scope } }) => scope === 'public' && !named.has(id));
    assert.deepEqual([...new Set(open.map(({ operation }) => operation.id))].sort(), [
      'ask-guest-assistant',
      'ask-password-reset',
      'assess-risk',
      'assess-trade-risk',
      'candles',
      'channel-performance',
      'chart',
      'check-strategy',
      'data-status',
      'exchange-rules',
      'flip-intelligence',
      'get-channel',
      'get-price',
      'get-session',
      'get-shared-backtest',
      'list-analyses',
      'list-assets',
      'list-channels',
      'list-indicators',
      'list-leaderboards',
      'list-strategies',
      'live-stream',
      'login',
      'login-idp',
      'market-table',
      'prices',
      'reset-password',
      'risk-calibration',
      'sign-up',
      'strategy-leaderboard',
      'supported-exchanges',
      'validate-signal',
      'verify-email',
    ]);
  });

  it('have the scopes that the tools of the connector have', () => {
    for (const { listing, operation } of tools)
      assert.equal(
        operation.scope === 'public' ? 'public' : operation.tokenScope,
        listing.scope,
        listing.name,
      );
  });

  it('are a way to authenticate of every such operation in OpenAPI', () => {
    const { paths } = openApi({ PUBLIC_URL: '' });
    for (const { method, path, operation, surface } of routeTable) {
      if (surface !== 'envelope') continue;
      const { security } = paths[documentPath(path)][method.toLowerCase()] as { security: object[] };
      const found = security.find((each) => 'personalToken' in each);
      const scope = operation.scope === 'public' ? [] : operation.tokenScope && [operation.tokenScope];
      assert.deepEqual(found, scope && { personalToken: scope }, `${method} ${path}`);
    }
  });

  it('read what is the user’s, and nobody else’s', async () => {
    const owner = await accountUser(service);
    const expiresAt = new Date(Date.now() + dayMs);
    const given = { userId: owner.userId, name: 'own', scopes: [...tokenScopes], expiresAt };
    const { secret } = await service.storage.personalTokens.add(given);
    const path = '/backend/account';
    const [own, other] = [
      await ask('GET', path, bearer(secret)),
      await ask('GET', path, bearer(secrets['read:portfolio']!)),
    ];
    assert.deepEqual([own.status, other.status], [200, 200]);
    assert.equal(own.payload.email, (await service.storage.users.byId(owner.userId))!.email);
    assert.equal(other.payload.email, (await service.storage.users.byId(userId))!.email);
  });

  it('are refused when expired, revoked or made up', async () => {
    const expired = await make('expired', ['read:portfolio'], -1_000);
    const revoked = await make('revoked', ['read:portfolio']);
    const path = '/backend/exchanges';
    assert.equal((await ask('GET', path, bearer(revoked))).status, 200);
    const listed = await ask('GET', '/backend/tokens', { 'session-token': session });
    const { id } = listed.payload.tokens.find(({ name }: { name: string }) => name === 'revoked');
    assert.equal((await ask('DELETE', `/backend/tokens/${id}`, { 'session-token': session })).status, 200);
    const madeUp = `pat_${'0'.repeat(64)}`;
    for (const secret of [expired, revoked, madeUp])
      for (const [method, asked] of [
        ['GET', path],
        ['GET', '/backend/analysis/list-strategies'],
      ]) {
        const { status, result, headers } = await ask(method, asked, {
          ...bearer(secret),
          'x-forwarded-for': '192.0.2.1',
        });
        assert.deepEqual([status, result.type], [401, 'UNAUTHORIZED']);
        assert.equal(headers.get('www-authenticate'), 'Bearer error="invalid_token"');
      }
  });

  it('are refused in any other form, and beside another token', async () => {
    const secret = secrets['read:portfolio']!;
    const path = '/backend/exchanges';
    assert.equal((await ask('GET', path, { Authorization: `bearer ${secret}` })).status, 200);
    for (const authorization of [
      'Bearer',
      'Bearer a b',
      `Bearer ${session}`,
      `Bearer ${secret}x`,
      secret,
      `Token ${secret}`,
    ])
      assert.equal((await ask('GET', path, { Authorization: authorization })).status, 401, authorization);
    assert.equal((await ask('GET', path, { 'session-token': secret })).status, 401);
    assert.equal((await ask('GET', `${path}?access_token=${secret}`, {})).status, 401);
    const both = await ask('GET', path, { ...bearer(secret), 'session-token': session });
    assert.deepEqual(
      [both.status, /one token is expected, found several/.test(both.payload.message)],
      [401, true],
    );
    const line = `Authorization: Bearer ${secret}\r\n`;
    const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${line}${line}\r\n`;
    assert.equal((await rawExchange(service.url, [text])).answers[0].status, 401);
  });

  it('leave the password of a proxy alone', async () => {
    const basic = { Authorization: `Basic ${btoa('user:password')}` };
    assert.equal(
      (await ask('GET', '/backend/exchanges', { ...basic, 'session-token': session })).status,
      200,
    );
    assert.equal((await ask('GET', '/backend/exchanges', basic)).status, 401);
  });

  it('are personal: those of apps are for the connector', async () => {
    const { access } = await new OauthClientRig(service).connect({ userId });
    const { status, payload } = await ask('GET', '/backend/exchanges', bearer(access));
    assert.deepEqual([status, /tokens of apps are for \/mcp/.test(payload.message)], [401, true]);
  });

  it('spend the points of their user', async () => {
    const owner = await accountUser(service);
    const expiresAt = new Date(Date.now() + dayMs);
    const given = { userId: owner.userId, name: 'own', scopes: [...tokenScopes], expiresAt };
    const { secret } = await service.storage.personalTokens.add(given);
    const left = ({ headers }: TestAnswer) => Number(headers.get('ratelimit-remaining'));
    const first = left(await owner.get('/backend/exchanges'));
    const second = left(await ask('GET', '/backend/exchanges', bearer(secret)));
    const third = left(await owner.get('/backend/exchanges'));
    assert.deepEqual([second, third], [first - 1, first - 2]);
  });

  it('that are made up meet the limit of their address before MongoDB is asked', async () => {
    const reads = async () =>
      new Scrape(await service.metrics.gateway.registry.metrics()).sum('tidemark_round_trip_seconds_count', {
        command: 'find',
      });
    const before = await reads();
    const from = { 'x-forwarded-for': '192.0.2.2' };
    const guess = (n: number) =>
      ask('GET', '/backend/exchanges', { ...bearer(`pat_${String(n).padStart(64, '0')}`), ...from });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n)));
    assert.equal(answers.filter(({ status }) => status === 429).length, 34);
    assert.ok((await reads()) - before <= 6);
  });
});
