import assert from 'node:assert/strict';
import { carriesBody } from '../../gateway/routes/json-body.js';
import { documentPath } from '../../gateway/openapi/document-path.js';
import { openApi } from '../../gateway/openapi/document.js';
import { routeTable } from '../../gateway/routes/table.js';
import { AnswerSchemas } from '../support/gateway/answer-schemas.js';
import { openTestService } from '../support/gateway/gateway.js';
import { cases, type Ask } from './cases.js';
import { send, type Answer, type Question } from './question.js';
import { openScene, type Scene } from './scene.js';

const document = openApi({ PUBLIC_URL: '' });
const schemas = new AnswerSchemas(document);

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((name) => {
    const method = name.toUpperCase();
    return { name: `${method} ${path}`, method, path, statuses: schemas.statuses(method, path) };
  }),
);

type Operation = (typeof operations)[number];

/** How an operation is asked so that it refuses with the status; null where it has no usual way. */
function refusal({ method, name, path }: Operation, status: number): Ask | null {
  const { good, refused } = cases[name];
  const isPartners = /^\/v[12]\/(channel|signal)/.test(path);
  const route = routeTable.find((each) => each.method === method && documentPath(each.path) === path);
  const isOwn = route?.surface === 'envelope';
  const hasBody = carriesBody(method) || (isPartners && method === 'DELETE');
  const withGood =
    (more: Partial<Question>): Ask =>
    async (scene) => ({ ...(await good[0](scene)), ...more });
  const usual: Partial<Record<number, Ask>> = {
    400: withGood(hasBody ? { body: { nothing: 1 } } : { query: { nothing: '1' } }),
    401: withGood({ token: null, ...(isOwn ? { headers: { Authorization: 'Bearer none' } } : {}) }),
    403: async (scene) => {
      const asked = await good[0](scene);
      if (!isOwn) return { ...asked, token: isPartners ? null : scene.tokens.user };
      const secret =
        scene.personal[route.operation.tokenScope === 'read:analysis' ? 'portfolio' : 'analysis'];
      return { ...asked, token: null, headers: { Authorization: `Bearer ${secret}` } };
    },
    413: withGood({ body: ' '.repeat(70_000) }),
    415: withGood({ body: '{}', headers: { 'Content-Type': 'text/plain' } }),
    429: withGood({ of: 'narrow' }),
    500: withGood({ of: 'broken' }),
    503: withGood({ of: 'away' }),
    504: withGood({ of: 'late' }),
  };
  return refused?.[status] ?? usual[status] ?? null;
}

describe('every answer is as /openapi.json says', function () {
  this.timeout(30_000);
  let scene: Scene;
  before(async () => (scene = await openScene()));
  after(() => scene.close());

  /** Asks, and holds body and headers against the document. */
  async function ask(operation: Operation, question: Question): Promise<Answer> {
    const { method, path, name } = operation;
    const answer = await send(scene, operation, question);
    assert.deepEqual(schemas.faults(method, path, answer.status, answer.body), [], name);
    assert.deepEqual(schemas.headerFaults(method, path, answer.status, answer.headers), [], name);
    return answer;
  }

  it('has a case for every operation, and for no other', () => {
    assert.deepEqual(Object.keys(cases).sort(), operations.map(({ name }) => name).sort());
  });

  it('is the document that is served', async () => {
    const { body } = await send(scene, { method: 'GET', path: '/openapi.json' }, {});
    assert.deepEqual(body, JSON.parse(JSON.stringify(document)));
  });

  for (const operation of operations) {
    const { name, statuses } = operation;
    describe(name, () => {
      for (const status of statuses)
        it(`answers ${status}`, () => {
          if (status < 300) return answered(operation, status);
          if (status === 304) return notChanged(operation);
          return name === 'GET /readyz' ? notReady(operation) : refused(operation, status);
        });
    });
  }

  async function answered(operation: Operation, expected: number): Promise<void> {
    for (const good of cases[operation.name].good)
      assert.equal((await ask(operation, await good(scene))).status, expected);
  }

  async function refused(operation: Operation, expected: number): Promise<void> {
    const question = await refusal(operation, expected)?.(scene);
    assert.ok(question, `nothing brings about ${expected}`);
    let { status } = await ask(operation, question);
    // The first question of a minute is within the limit, and so is that of a token which the one before has ended.
    for (let n = 0; expected === 429 && status !== 429 && n < 2; n++)
      ({ status } = await ask(operation, question));
    assert.equal(status, expected);
  }

  async function notChanged(operation: Operation): Promise<void> {
    const question = await cases[operation.name].good[0](scene);
    const { headers } = await ask(operation, question);
    // Of its own, fetch asks caches to stand aside.
    const known = { 'If-None-Match': headers.get('etag')!, 'Cache-Control': 'max-age=0' };
    assert.equal((await ask(operation, { ...question, headers: known })).status, 304);
  }

  async function notReady({ method, path }: Operation): Promise<void> {
    const lonely = await openTestService({ computeNodes: 0 });
    const answer = await fetch(lonely.url + path);
    assert.equal(answer.status, 503);
    assert.deepEqual(schemas.faults(method, path, answer.status, await answer.json()), []);
    await lonely.close();
  }
});
