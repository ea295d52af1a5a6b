import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';

describe('GET /', () => {
  let service: TestService;

  before(async () => (service = await openTestService({ computeNodes: 0 })));
  after(() => service.close());

  const get = (accept: string, method = 'GET') =>
    fetch(`${service.url}/`, { method, redirect: 'manual', headers: { Accept: accept } });

  it('shows visitors what this is, and sends signed-in browsers to the application', async () => {
    for (const accept of ['text/html', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8']) {
      const answer = await get(accept);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('vary') ?? '', /\bAccept\b/);
      assert.match(await answer.text(), /<h1>See where the trend stands<\/h1>/);
    }
    const headers = { Accept: 'text/html', Cookie: `session=${await service.signIn()}` };
    const answer = await fetch(`${service.url}/`, { redirect: 'manual', headers });
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/app']);
  });

  it('tells everyone else where things are, and each place exists', async () => {
    for (const accept of ['*/*', 'application/json', 'text/plain;q=0.5, */*;q=0.1']) {
      const answer = await get(accept);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      const places = (await answer.json()) as Record<string, string>;
      assert.equal(places.service, 'Tidemark');
      for (const [name, path] of Object.entries(places)) {
        // The connector answers POST alone.
        if (!path.startsWith('/') || name === 'mcp') continue;
        const { status } = await fetch(service.url + path);
        assert.ok(status === 200 || (name === 'readiness' && status === 503), `${name}: ${status}`);
      }
    }
  });

  it('answers HEAD without a body, and other methods as everywhere', async () => {
    const head = await get('*/*', 'HEAD');
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal((await get('*/*', 'POST')).status, 405);
  });
});
