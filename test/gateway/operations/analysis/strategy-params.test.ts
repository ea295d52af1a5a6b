import assert from 'node:assert/strict';
import { strategies } from '../../../../compute/strategies/index.js';
import type { Strategy } from '../../../../compute/model/strategy.js';
import { routeTable } from '../../../../gateway/routes/table.js';
import { jsonSchemaOf } from '../../../../gateway/openapi/json-schema.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';

type Params = Record<string, number>;

/** Every request that takes parameters of a strategy, as the field of the fault, and the body that names them. */
const requests: Record<
  string,
  { field: string; isGrid?: true; body: (strategy: string, params: object) => object }
> = {
  '/backend/core-line/backtest': {
    field: 'params',
    body: (strategy, params) => ({ asset: 'BTC', strategy, params }),
  },
  '/backend/analysis/monte-carlo': {
    field: 'params',
    body: (strategy, params) => ({ asset: 'BTC', strategy, params }),
  },
  '/backend/analysis/compare': {
    field: 'strategies',
    body: (name, params) => ({ assets: ['BTC'], strategies: [{ name, params }] }),
  },
  '/backend/analysis/sweep': {
    field: 'grid',
    isGrid: true,
    body: (strategy, grid) => ({ asset: 'BTC', strategy, grid }),
  },
  '/backend/analysis/walk-forward': {
    field: 'grid',
    isGrid: true,
    body: (strategy, grid) => ({ asset: 'BTC', strategy, grid }),
  },
};

/** The strategies whose parameters have to go together, each with some that do not. */
const ruled = (strategies as readonly Strategy<string>[])
  .filter(({ allows }) => allows !== undefined)
  .map((strategy) => {
    const { fast, slow } = strategy.params;
    const swapped = { fast: slow.default, slow: fast.default };
    return {
      strategy,
      refused: [{ fast: 50, slow: 10 }, { fast: 30, slow: 30 }, swapped, { fast: 150 }] as Params[],
    };
  });

const asGrid = (params: Params) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value]]));

const upperSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

describe('parameters of a strategy that do not go together', () => {
  let service: TestService;
  let token: string;

  before(async () => ({ service, token } = await openTestMarket()));
  after(() => service.close());

  it('are tried at every request that takes parameters of a strategy', () => {
    const named = routeTable.filter(({ operation }) =>
      JSON.stringify(jsonSchemaOf(operation.input)).includes('"parameters of ema_cross"'),
    );
    assert.deepEqual(named.map(({ path }) => path).sort(), Object.keys(requests).sort());
    assert.deepEqual(
      ruled.map(({ strategy }) => strategy.name),
      ['ema_cross', 'macd_cross'],
    );
  });

  for (const [path, { field, isGrid, body }] of Object.entries(requests)) {
    it(`are refused by ${path}, which says what is allowed`, async () => {
      for (const { strategy, refused } of ruled) {
        for (const params of refused) {
          const given = body(strategy.name, isGrid ? asGrid(params) : params);
          const { status, result, payload } = await service.post(path, given, { 'session-token': token });
          const what = `${strategy.name} ${JSON.stringify(params)}: ${payload.message}`;
          const expected = { status: 400, type: `INVALID_INPUT_${upperSnake(field)}` };
          assert.deepEqual({ status, type: result.type }, expected, what);
          assert.ok(String(payload.message).includes(`${strategy.name}: ${strategy.allowed}, found`), what);
        }
      }
    });
  }

  it('are skipped in a grid that has others', async () => {
    const grid = { fast: [5, 50], slow: [10] };
    for (const name of ['sweep', 'walk-forward']) {
      const body = { asset: 'BTC', strategy: 'ema_cross', grid };
      const { status, payload } = await service.post(`/backend/analysis/${name}`, body, {
        'session-token': token,
      });
      assert.equal(status, 200, payload.message);
    }
  });
});
