import assert from 'node:assert/strict';
import { csrfToken } from '../../../gateway/web/site/csrf-token.js';
import { routeTable } from '../../../gateway/routes/table.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';

const foreign = 'https://evil.example';
const isEnvelope = ({ surface }: (typeof routeTable)[number]) => surface === 'envelope';
const isRead = ({ method }: (typeof routeTable)[number]) => method === 'GET';
const ownWrites = routeTable.filter((route) => isEnvelope(route) && !isRead(route));
const guarded = routeTable.filter(
  (route) => isEnvelope(route) && isRead(route) && route.operation.scope !== 'public',
);

describe('the cookie of pages over REST', function () {
  this.timeout(60_000);
  let service: TestService;
  let token: string;

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    token = await service.signIn({ operator: true });
  });
  after(() => service.close());

  interface Seen {
    status: number;
    headers: Headers;
    message: string | undefined;
    // oxlint-disable-next-line typescript/no-explicit-any
    payload: any;
  }

  /** Asks as a browser that holds the cookie does; a write has a field that nothing knows, so that it changes nothing. */
  async function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Seen> {
    const body = method === 'GET' ? {} : { body: '{"nothing":1}' };
    const type: Record<string, string> = method === 'GET' ? {} : { 'Content-Type': 'application/json' };
    const cookie = { cookie: `session=${token}` };
    const answer = await fetch(service.url + path, {
      method,
      headers: { ...cookie, ...type, ...headers },
      ...body,
    });
    const text = await answer.text();
    const read = text.startsWith('{')
      ? (JSON.parse(text) as { message?: string; payload?: { message?: string } })
      : {};
    const { payload } = read;
    return {
      status: answer.status,
      headers: answer.headers,
      payload,
      message: payload?.message ?? read.message,
    };
  }

  const csrf = () => ({ 'csrf-token': csrfToken(token) });

  it('is refused by every route that writes if another site sends it, and without the token of its session', async () => {
    const others = await service.signIn();
    const refused: [what: Record<string, string>, message: RegExp][] = [
      [{ ...csrf(), origin: foreign }, /sent by another site/],
      [{ ...csrf(), origin: 'null' }, /sent by another site/],
      [{ ...csrf(), 'sec-fetch-site': 'cross-site' }, /sent by another site/],
      [{ ...csrf(), origin: service.url, 'sec-fetch-site': 'same-site' }, /sent by another site/],
      [{ origin: service.url, 'sec-fetch-site': 'same-origin' }, /"csrf-token" must be/],
      [{ 'csrf-token': csrfToken(others) }, /"csrf-token" must be/],
    ];
    assert.ok(ownWrites.length > 60);
    for (const { method, path } of ownWrites)
      for (const [headers, message] of refused) {
        const answer = await ask(method, path, headers);
        assert.equal(answer.status, 403, `${method} ${path} ${JSON.stringify(headers)}`);
        assert.match(answer.message!, message);
      }
  });

  it('lets its own pages write everywhere', async () => {
    for (const { method, path } of ownWrites) {
      // A place that nothing is at is not found, whatever else is wrong.
      const accepted = path.includes(':') ? [400, 404] : [400];
      const own = { ...csrf(), origin: service.url, 'sec-fetch-site': 'same-origin' };
      const { status, message } = await ask(method, path, own);
      assert.ok(accepted.includes(status), `${method} ${path}: ${status} ${message}`);
    }
  });

  it('counts for reads of its own pages alone', async () => {
    for (const { path } of guarded) {
      for (const site of ['cross-site', 'same-site', 'none', 'same-origin, same-origin'])
        assert.equal((await ask('GET', path, { 'sec-fetch-site': site })).status, 401, `${path} ${site}`);
      for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }] as Record<string, string>[]) {
        const answer = await ask('GET', path, headers);
        assert.notEqual(answer.status, 401, path);
        assert.match(answer.headers.get('vary') ?? '', /Cookie/i, path);
      }
    }
  });

  it('is never read by /v1, /v2, /v3 and /mcp', async () => {
    const others = routeTable.filter((route) => !isEnvelope(route));
    for (const { method, path } of [...others, { method: 'POST', path: '/mcp' }]) {
      const [held, none] = [
        await ask(method, path, csrf()),
        await ask(method, path, { cookie: 'session=none' }),
      ];
      assert.ok(
        path === '/mcp' || held.status === 403 || held.status === 401,
        `${method} ${path} ${held.status}`,
      );
      assert.deepEqual([held.status, held.message], [none.status, none.message]);
    }
  });

  it('yields to a session token and to a personal token, which need no token of a form', async () => {
    const headers = { 'session-token': await service.signIn(), origin: foreign };
    assert.equal((await ask('POST', '/backend/sessions/end', headers)).status, 400);
    assert.equal((await ask('POST', '/backend/sessions/end', { authorization: 'Bearer none' })).status, 401);
  });

  it('leaves a browser whose session has ended a guest', async () => {
    const ended = { cookie: `session=${'A'.repeat(43)}` };
    const [session, write] = [
      await ask('GET', '/backend/session', ended),
      await ask('POST', '/backend/sessions/end', ended),
    ];
    assert.deepEqual([session.status, session.payload.user, session.payload.csrf], [200, null, null]);
    assert.equal(write.status, 401);
  });

  it('says who is signed in, and what each write has to hold', async () => {
    const seen = await ask('GET', '/backend/session');
    assert.equal(seen.headers.get('cache-control'), 'no-store');
    const { user, partner, csrf: told, service: offers } = seen.payload;
    assert.deepEqual(
      [Object.keys(user), user.isOperator, user.plan],
      [['email', 'plan', 'isVerified', 'isOperator'], true, 'free'],
    );
    assert.deepEqual([partner, told], [null, csrfToken(token)]);
    assert.deepEqual([offers.market, offers.liveTrading, offers.signUp], ['csv', false, true]);
    // A program with the token in its header sends no cookie, and needs no token of a form.
    const program = await ask('GET', '/backend/session', { 'session-token': token, cookie: '' });
    assert.deepEqual([program.payload.user, program.payload.csrf], [user, null]);
  });
});
