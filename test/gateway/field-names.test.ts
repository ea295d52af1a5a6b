import assert from 'node:assert/strict';
import { allAnalyses } from '../../compute/analyses.js';
import { jsonSchemaOf, exampleOf, type JsonSchema } from '../../gateway/openapi/json-schema.js';
import { routeTable } from '../../gateway/routes/table.js';
import { openTestMarket } from '../support/candles/market.js';
import type { TestService } from '../support/gateway/gateway.js';
import { sampleParams } from '../support/jobs/sample-params.js';

/** Values that are wrong in most places: of the wrong kind, out of range, empty, misspelt. */
const junk: unknown[] = [null, '', 'x', '-1', -1, 1e300, true, [], {}, [null], [{}], { bogus: 1 }];

/** The value with one part of it replaced by each piece of junk, at every depth; parts that are missing are added. */
function damaged(value: unknown): unknown[] {
  const here = junk.filter((each) => JSON.stringify(each) !== JSON.stringify(value));
  if (Array.isArray(value)) {
    const inside = value.flatMap((item: unknown, n) =>
      damaged(item).map((bad) => (value as unknown[]).with(n, bad)),
    );
    return [...here, ...inside, [...(value as unknown[]), 'x'], [...(value as unknown[]), { bogus: 1 }]];
  }
  if (typeof value !== 'object' || value === null) return here;
  const inside = Object.entries(value).flatMap(([name, part]) =>
    damaged(part).map((bad) => ({ ...value, [name]: bad })),
  );
  return [...here, ...inside, { ...value, bogus: 1 }];
}

/** The fields of a request whose values have parts. */
const composite = (schema: JsonSchema): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, { type, anyOf }]) =>
    ['array', 'object'].some((kind) => [type ?? []].flat().includes(kind)) || Array.isArray(anyOf)
      ? [name]
      : [],
  );

const upperSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Members' signals are checked as those of partners are, which have suites of their own. */
const routes = routeTable
  .filter(({ method, surface }) => method === 'POST' && surface === 'envelope')
  .filter(({ operation }) => !operation.id.startsWith('member-'))
  .map(({ path, operation }) => ({ path, operation, schema: jsonSchemaOf(operation.input) }))
  .filter(({ schema }) => composite(schema).length > 0);

describe('a fault inside a list or an object', () => {
  let service: TestService;
  let token: string;

  before(async () => ({ service, token } = await openTestMarket()));
  after(() => service.close());

  it('is looked for in every request that has such fields', () => {
    assert.ok(routes.length >= 12, routes.map(({ path }) => path).join());
  });

  for (const { path, operation, schema } of routes) {
    it(`has the name of the field, whatever the fault: ${path}`, async () => {
      const analysis = allAnalyses.find(({ name }) => name === operation.id);
      const good: Record<string, unknown> = {
        ...exampleOf(schema),
        ...(analysis ? sampleParams(analysis) : {}),
      };
      let refused = 0;
      for (const field of composite(schema)) {
        for (const value of damaged(good[field])) {
          const { status, result, payload } = await service.post(
            path,
            { ...good, [field]: value },
            { 'session-token': token },
          );
          if (status === 200) continue;
          refused++;
          const what = `${field} ${JSON.stringify(value)}: ${payload.message}`;
          assert.deepEqual([status, result.type], [400, `INVALID_INPUT_${upperSnake(field)}`], what);
          assert.equal(String(payload.field).split(/[.[]/)[0], field, what);
        }
      }
      assert.ok(refused > 5, `${refused} refused`);
    });
  }
});

describe('too little history', () => {
  let service: TestService;
  let token: string;

  before(async () => ({ service, token } = await openTestMarket()));
  after(() => service.close());

  it('has the name of the field that names the asset', async () => {
    for (const [name, body, field] of [
      ['trend', { asset: 'NEW', interval: '1h' }, 'ASSET'],
      ['monte-carlo', { asset: 'NEW', interval: '1h' }, 'ASSET'],
      ['correlation-matrix', { assets: ['BTC', 'NEW'], interval: '1h' }, 'ASSETS'],
      ['pair-relationship', { asset: 'BTC', secondAsset: 'NEW', interval: '1h' }, 'SECOND_ASSET'],
      ['tail-risk', { weights: { NEW: 1 } }, 'WEIGHTS'],
    ] as const) {
      const { status, result, payload } = await service.post(`/backend/analysis/${name}`, body, {
        'session-token': token,
      });
      assert.deepEqual([status, result.type], [400, `INVALID_INPUT_${field}`], `${name}: ${payload.message}`);
    }
  });
});
