import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApi, type OpenApi } from '../../gateway/openapi/document.js';
import { routeTable } from '../../gateway/routes/table.js';
import { hashPassword } from '../../storage/password.js';
import { AnswerSchemas } from '../support/answer-schemas.js';
import type { TestService } from '../support/gateway.js';
import { openTestMarket } from '../support/market.js';
import { projectRoot } from '../support/paths.js';
import { signatureOf, testSecret } from '../support/signed.js';

const document = openApi({ PUBLIC_URL: '' });
const pathOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');

interface Described {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: { 'application/json': { schema: object; example: object } } };
}

const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, each]) => ({ path, method, each: each as Described })),
);

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 by the letter', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    assert.ok(valid, JSON.stringify(errors, null, 1));
  });

  it('has every route of the table, and no other under /backend, /operator and /v3', () => {
    const listed = routeTable.map(({ method, path }) => `${method} ${pathOf(path)}`);
    const found = described
      .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
      .filter((name) => / \/(backend|operator|v3)\//.test(name));
    assert.deepEqual(found.sort(), listed.sort());
  });

  it('names every operation once', () => {
    const ids = described.map(({ each }) => each.operationId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('carries the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal(document.info.version, version);
  });

  it('names the server by PUBLIC_URL alone', () => {
    assert.deepEqual(document.servers, [{ url: '/' }]);
    const { servers } = openApi({ PUBLIC_URL: 'https://api.example.com/' });
    assert.deepEqual(servers, [{ url: 'https://api.example.com' }]);
  });

  it('refers to nothing that is not there', () => {
    const text = JSON.stringify(document);
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      assert.ok(target !== undefined, pointer);
    }
  });

  for (const { method, path, operation } of routeTable) {
    it(`describes what ${method} ${path} takes as its schema does`, () => {
      const { each } = described.find(
        (one) => one.path === pathOf(path) && one.method === method.toLowerCase(),
      )!;
      const fields = Object.keys((operation.input.describe() as { keys?: object }).keys ?? {}).sort();
      const inBody = Object.keys(
        (each.requestBody?.content['application/json'].schema as { properties?: object })?.properties ?? {},
      );
      const names = [...inBody, ...(each.parameters ?? []).map(({ name }) => name)].sort();
      assert.deepEqual(names, fields);
    });

    it(`shows an example that ${method} ${path} takes`, () => {
      const { each } = described.find(
        (one) => one.path === pathOf(path) && one.method === method.toLowerCase(),
      )!;
      const example = each.requestBody?.content['application/json'].example;
      if (!example) return;
      const { error } = operation.input.validate(example, { convert: false });
      const inPath = error?.details[0].path[0];
      assert.ok(!error || path.includes(`:${String(inPath)}`), error?.message);
    });
  }
});

describe('answers', () => {
  let service: TestService;
  let token: string;
  let schemas: AnswerSchemas;
  let served: OpenApi;
  const login = { email: 'ada@example.com', password: 'a password' };

  before(async () => {
    ({ service, token } = await openTestMarket({ env: { AI_API_SECRETS: testSecret } }));
    await service.storage.users.add({
      email: login.email,
      plan: 'plus',
      passwordHash: await hashPassword(login.password),
    });
    served = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
    schemas = new AnswerSchemas(served);
  });
  after(() => service.close());

  /** Sends a request and holds the answer against the document. */
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<number> {
    const answer = await fetch(service.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const described = path.split('?')[0];
    const content: unknown = await answer.json();
    assert.deepEqual(schemas.faults(method, described, answer.status, content), [], `${method} ${path}`);
    return answer.status;
  }

  it('that succeed are as the document says', async () => {
    const signedIn = { 'session-token': token };
    const good: [string, string, object?][] = [
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['GET', '/openapi.json'],
      ['POST', '/backend/login', login],
      ['POST', '/backend/core-line/chart', { asset: 'BTC' }],
      ['POST', '/backend/core-line/chart', { asset: 'BTC', interval: '1h', limit: 1000 }],
      ['POST', '/backend/core-line/flip-intelligence', { asset: 'BTC' }],
      ['POST', '/backend/core-line/flip-intelligence', { asset: 'BTC', interval: '1h', limit: 200 }],
      ['POST', '/backend/core-line/backtest', { asset: 'BTC' }],
      ['POST', '/backend/core-line/backtest', { asset: 'BTC', strategy: 'ema_cross', interval: '1h' }],
      ['POST', '/backend/core-line/backtest', { asset: 'BTC', strategy: 'buy_and_hold', period: '3M' }],
      ['POST', '/backend/exchanges', { exchange: 'PAPER', holdings: [{ asset: 'BTC', quantity: '0.5' }] }],
      ['GET', '/backend/exchanges'],
      ['GET', '/backend/activepositions'],
      ['POST', '/backend/core-line/portfolio', {}],
      ['POST', '/backend/core-line/portfolio', { exchange: 'PAPER', interval: '1h' }],
      ['GET', '/backend/sessions'],
      ['POST', '/backend/sessions/end', { keepThis: true }],
      ['POST', '/backend/signup', { email: 'new@example.com', password: login.password }],
      ['POST', '/backend/logout', {}],
    ];
    for (const [method, path, body] of good) assert.equal(await ask(method, path, body, signedIn), 200, path);
  });

  it('that succeed are as the document says where requests are signed', async () => {
    for (const side of ['long', 'short']) {
      const target = `/v3/ai/assess_risk?coin=BTC&trade_side=${side}`;
      assert.equal(await ask('GET', target, undefined, signatureOf({ target })), 200);
    }
    const target = '/v3/ai/get_price';
    const body = '{"base_asset":"BTC"}';
    assert.equal(await ask('POST', target, body, signatureOf({ method: 'POST', target, body })), 200);
    const wrong = `${target}?base_asset=NOPE`;
    assert.equal(await ask('GET', wrong, undefined, signatureOf({ target: wrong })), 400);
    assert.equal(await ask('GET', wrong), 401);
  });

  it('that fail are as the document says, at every route', async () => {
    for (const { method, path, operation } of routeTable) {
      const concrete = pathOf(path);
      if (method === 'GET' || concrete !== path) continue;
      // One of these questions ends its session.
      const headers = { 'session-token': await service.signIn() };
      const refused = path.startsWith('/v3/') ? 401 : operation.scope === 'operator' ? 403 : 400;
      assert.equal(await ask(method, path, '{', headers), refused, path);
      await ask(method, path, {}, headers);
      await ask(method, path, { nothing: 1 }, headers);
      await ask(method, path, '"x"', { ...headers, 'Content-Type': 'text/plain' });
      await ask(method, path, ' '.repeat(70_000), headers);
      await ask(method, path, {});
    }
  });

  it('say no more than the document where the address of the server is concerned', async () => {
    const answer = await fetch(`${service.url}/openapi.json`, {
      headers: { 'X-Forwarded-Host': 'evil.example' },
    });
    assert.doesNotMatch(await answer.text(), /evil|127\.0\.0\.1/);
  });

  it('need not be sent again', async () => {
    const first = await fetch(`${service.url}/openapi.json`);
    const again = await fetch(`${service.url}/openapi.json`, {
      // Of its own, fetch asks caches to stand aside.
      headers: { 'If-None-Match': first.headers.get('etag')!, 'Cache-Control': 'max-age=0' },
    });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
  });
});
