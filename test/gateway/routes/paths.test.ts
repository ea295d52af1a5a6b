import assert from 'node:assert/strict';
import { routeTable } from '../../../gateway/routes/table.js';
import { otherPaths } from '../../../gateway/routes/unknown-path.js';
import { assertRefused } from '../../support/gateway/envelope.js';
import { openTestService, type TestAnswer, type TestService } from '../../support/gateway/gateway.js';
import { until } from '../../support/process/until.js';

/** The methods that are taken, by path; a parameter of the path stands for itself. */
const methodsOf = new Map<string, Set<string>>([
  ['/healthz', new Set(['GET'])],
  ['/', new Set(['GET'])],
  ['/readyz', new Set(['GET'])],
  ['/openapi.json', new Set(['GET'])],
  ['/docs', new Set(['GET'])],
  ['/dashboard', new Set(['GET'])],
]);
for (const { path, method } of routeTable) {
  const methods = methodsOf.get(path) ?? new Set();
  methodsOf.set(path, methods.add(method));
}

const unknownPaths = [
  ...['/backend', '/backend/', '/backend/login/', '/Backend/login', '/backend/LOGIN', '/backend/nope'],
  ...['/healthz/', '/favicon.ico', '/__proto__', '/constructor', '/backend/core-line', '/backend%2Flogin'],
  ...[
    '/%00',
    '/%zz',
    '/%',
    '/%E0%A4%A',
    '/backend/login%00',
    '/..%2f..%2fetc/passwd',
    '/;/',
    '/a?b=%zz&c[$ne]=1',
  ],
  ...[`/${'a'.repeat(4_000)}`, '/backend/core-line/portfolios', '/backend/exchanges/'],
];

describe('the gateway', () => {
  let service: TestService;

  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  async function request(method: string, path: string): Promise<TestAnswer> {
    const answer = await fetch(service.url + path, { method, redirect: 'manual' });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  }

  for (const path of unknownPaths)
    it(`knows nothing at ${path.slice(0, 40)}`, async () => {
      for (const method of ['GET', 'POST', 'DELETE'])
        assertRefused(await request(method, path), { status: 404, type: 'INVALID_INPUT_PATH' }, method);
    });

  for (const [path, methods] of methodsOf)
    it(`takes nothing but ${[...methods].join(' and ')} at ${path}`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'SEARCH']) {
        if (methods.has(method)) continue;
        const answer = await fetch(service.url + path, { method });
        const { result, error } = (await answer.json()) as {
          result?: { type: string };
          error?: { code: string };
        };
        assert.equal(answer.status, 405, method);
        assert.equal(
          result?.type ?? error?.code,
          path.startsWith('/v3/') ? 'method_not_allowed' : 'INVALID_INPUT_METHOD',
        );
        const allowed = (answer.headers.get('allow') ?? '').split(', ').filter((each) => each !== 'HEAD');
        assert.deepEqual(new Set(allowed), methods);
      }
      if (path.includes(':')) return;
      const options = await fetch(service.url + path, { method: 'OPTIONS' });
      const told = (options.headers.get('allow') ?? '').split(', ').filter((each) => each !== 'HEAD');
      assert.deepEqual([options.status, new Set(told)], [200, methods]);
    });

  it('asks for the path that was probably meant, of operations, pages and the endpoints of OAuth and MCP', async () => {
    const meant = async (path: string) => {
      const answer = await fetch(service.url + path);
      const { payload } = (await answer.json()) as { payload: { message: string } };
      return [answer.status, /; did you mean (.*)\?$/.exec(payload.message)?.[1]];
    };
    assert.deepEqual(await meant('/backend/analysis/trendd'), [404, '"/backend/analysis/trend"']);
    assert.deepEqual(await meant('/mpc'), [404, '"/mcp"']);
    assert.deepEqual(await meant('/sign-inn'), [404, '"/sign-in"']);
    assert.deepEqual(await meant('/autorize'), [404, '"/authorize"']);
    assert.deepEqual(await meant('/accounts'), [404, '"/backend/account" or "/account"']);
    for (const path of otherPaths) {
      const { status } = await fetch(service.url + path, { redirect: 'manual' });
      assert.notEqual(status, 404, path);
    }
  });

  it('ignores a query where it takes a body', async () => {
    const answer = await service.post('/backend/core-line/chart?asset=BTC&__proto__[x]=1&a[$ne]=1', {});
    assertRefused(answer, { status: 400, type: 'INVALID_INPUT_ASSET', field: 'asset' });
  });

  it('names every request, whatever becomes of it', async () => {
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['GET', '/nope'],
      ['PUT', '/healthz'],
      ['HEAD', '/healthz'],
      ['OPTIONS', '/healthz'],
      ['POST', '/backend/login'],
    ]) {
      const own = await fetch(service.url + path, { method });
      assert.match(
        own.headers.get('x-request-id') ?? '',
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
        path,
      );
      const given = await fetch(service.url + path, { method, headers: { 'x-request-id': 'mine' } });
      assert.equal(given.headers.get('x-request-id'), 'mine', `${method} ${path}`);
    }
  });
});

describe('GET /healthz', () => {
  it('says that the process lives, even with no compute node', async () => {
    const service = await openTestService({ computeNodes: 0 });
    try {
      const answer = await fetch(`${service.url}/healthz`);
      assert.equal(answer.status, 200);
      assert.deepEqual(await answer.json(), { alive: true });
    } finally {
      await service.close();
    }
  });
});

describe('GET /readyz', () => {
  const readiness = async ({ url }: TestService) => {
    const answer = await fetch(`${url}/readyz`);
    return { status: answer.status, ...((await answer.json()) as object) };
  };

  it('counts compute nodes and their threads', async () => {
    const service = await openTestService({ computeNodes: 2, env: { THREADS: '2' } });
    try {
      const nodes = { computeNodes: 2, threads: 4, redisAway: [], queuesWithoutNode: [], market: 'imported' };
      const expected = { status: 200, ready: true, missing: [], ...nodes };
      await until('two nodes', async () => (await readiness(service)).status === 200);
      await until(
        'both nodes',
        async () => JSON.stringify(await readiness(service)) === JSON.stringify(expected),
      );
      assert.deepEqual(await readiness(service), expected);
    } finally {
      await service.close();
    }
  });

  it('answers 503 where no compute node is alive', async () => {
    const service = await openTestService({ computeNodes: 0 });
    try {
      assert.deepEqual(await readiness(service), {
        ...{ status: 503, ready: false, missing: ['compute'], computeNodes: 0, threads: 0, redisAway: [] },
        queuesWithoutNode: ['analysis', 'backtest', 'scan', 'signals', 'market'],
        market: 'imported',
      });
    } finally {
      await service.close();
    }
  });
});
