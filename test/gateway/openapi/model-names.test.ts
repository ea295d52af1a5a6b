import assert from 'node:assert/strict';
import { openApi } from '../../../gateway/openapi/document.js';
import type { JsonSchema } from '../../../gateway/openapi/json-schema.js';
import { chosenNames } from '../../../gateway/openapi/model-names.js';
import { schemaPlaces } from '../../support/gateway/schema-places.js';

const document = openApi({ PUBLIC_URL: '' });
const models = document.components.schemas as Record<string, JsonSchema>;

/** Every reference in the document, by the name of the model. */
const references = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

const contentOf = (path: string, method: string) => {
  const { requestBody, responses } = document.paths[path][method] as {
    requestBody?: { content: Record<string, { schema: JsonSchema }> };
    responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>;
  };
  return {
    input: requestBody?.content['application/json'].schema,
    answer: responses[200].content['application/json'].schema,
  };
};
const to = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

describe('models of the document', () => {
  it('have the names of what they are', () => {
    const { input, answer } = contentOf('/backend/core-line/backtest', 'post');
    assert.deepEqual([input, answer], [to('BacktestInput'), to('BacktestAnswer')]);
    const { payload } = models.BacktestAnswer.properties!;
    assert.deepEqual(payload, { ...to('Backtest'), description: 'the answer' });
    assert.equal((models.Backtest.properties!.trades.items as JsonSchema).$ref, to('Trade').$ref);
    assert.equal((models.Chart.properties!.candles.items as JsonSchema).$ref, to('Candle').$ref);
    assert.equal((models.PositionList.properties!.positions.items as JsonSchema).$ref, to('Position').$ref);
    assert.deepEqual(contentOf('/v3/ai/assess_risk', 'get').answer, to('RiskAssessment'));
  });

  it('have plain names, at most three words longer than what they belong to', () => {
    for (const name of Object.keys(models)) {
      assert.match(name, /^[A-Z][A-Za-z0-9]*$/);
      assert.doesNotMatch(name, /(Post|Get|Response|Body|Type)\d|undefined/);
      assert.ok(name.length <= 32, name);
    }
  });

  it('are all referred to, and stand nowhere else', () => {
    const used = new Set(references(document));
    assert.deepEqual(
      Object.keys(models).filter((name) => !used.has(name)),
      [],
    );
    const bodies = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    assert.doesNotMatch(JSON.stringify(bodies), /"schema":\{[^{}]*"properties"/);
  });

  it('leave no object and no list of words without a name', () => {
    for (const [name, model] of Object.entries(models))
      for (const { place, schema } of schemaPlaces(model, name).slice(1)) {
        if (/^(Bare|Partner)?Failure\b|^OpenApiDocument\b/.test(place)) continue;
        assert.equal(schema.properties, undefined, `${place} has fields, but no name`);
        assert.ok(!Array.isArray(schema.enum) || schema.enum.length === 1, `${place} has words, but no name`);
      }
  });

  it('share a name where they are equal: the same exchange in three answers, one interval everywhere', () => {
    for (const [path, method] of [
      ['/backend/exchanges', 'get'],
      ['/backend/exchanges', 'post'],
      ['/backend/exchanges/{exchange}', 'delete'],
    ])
      assert.deepEqual(contentOf(path, method).answer, to('ExchangeListAnswer'));
    const intervals = Object.entries(models).filter(([, { enum: words }]) => String(words) === '1h,4h,1d');
    assert.deepEqual(
      intervals.map(([name]) => name),
      ['Interval'],
    );
  });

  it('keep null, defaults and descriptions where they stand', () => {
    assert.deepEqual(models.Chart.properties!.state, {
      anyOf: [to('CoreLineState'), { type: 'null' }],
      description: 'state after the last closed candle; null with fewer than 61 candles',
    });
    const { interval } = models.BacktestInput.properties!;
    assert.deepEqual(interval, { ...to('Interval'), description: 'length of a candle', default: '1d' });
  });

  it('use every name that was chosen', () => {
    for (const name of Object.values(chosenNames)) assert.ok(name in models, name);
  });
});
