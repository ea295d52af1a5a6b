import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseStrategy } from '../../../compute/rules/parse-strategy.js';
import type { JsonSchema } from '../../../gateway/openapi/json-schema.js';
import type { ResearchResult } from '../../../jobs/definitions/research-backtest.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { postMcp, rpc, toolCall } from '../../support/mcp/post-mcp.js';

const strategy = {
  params: { fastSlow: { default: 10, min: 5, max: 50, step: 5 } },
  long: {
    entry: { all: [{ left: 'ema_{fastSlow}', op: '>', right: 'ema_50' }] },
    stopLoss: { percent: 4 },
    takeProfit: { r: 2 },
    maxCandles: 90,
  },
  size: { riskPercent: 1 },
};
/** The answer of a tool, as far as these tests read it. */
interface Called {
  isError?: boolean;
  content: { text: string }[];
  structuredContent: Record<string, unknown> & {
    error: { code: string; field: string };
    rules: { long: { maxCandles: number } };
  };
}

const run = { strategy, asset: 'BTC', interval: '1h', from: '2024-03-01', to: '2024-11-01' };

describe('tools of research', () => {
  let service: TestService;
  let session: string;
  let headers: Record<string, string>;
  const call = async (name: string, args: object, by: Record<string, string> = headers): Promise<Called> =>
    (await postMcp(service.url, toolCall(name, args), by)).body.result as Called;

  before(async () => {
    ({ service, token: session } = await openTestMarket());
    const { payload } = await service.post(
      '/backend/tokens',
      { name: 'reader', scopes: ['read:analysis'] },
      { 'session-token': session },
    );
    headers = { Authorization: `Bearer ${payload.token}` };
  });
  after(() => service.close());

  it('publish a schema of rules that refers to itself, whose examples are rules', async () => {
    const { body } = await postMcp(service.url, rpc('tools/list'), {
      ...headers,
      'x-mcp-toolsets': 'research',
    });
    const listed = body.result.tools as { name: string; inputSchema: JsonSchema }[];
    const withRules = listed.filter(({ inputSchema }) => inputSchema.$defs !== undefined);
    assert.deepEqual(
      withRules.map(({ name }) => name),
      ['check_strategy', 'research_backtest', 'research_sweep', 'research_walk_forward', 'save_strategy'],
    );
    for (const { name, inputSchema } of withRules) {
      const isValid = new Ajv2020({ strict: false }).compile(inputSchema);
      const { examples } = inputSchema.properties!.strategy as { examples?: object[] };
      assert.equal(examples!.length, 2, name);
      const others = { name: 'x', asset: 'BTC' };
      const known = Object.entries(others).filter(([key]) => key in inputSchema.properties!);
      const args = (rules: unknown) => ({ ...Object.fromEntries(known), strategy: rules });
      for (const rules of [...examples!, strategy]) {
        assert.ok(isValid(args(rules)), JSON.stringify(isValid.errors));
        parseStrategy(rules);
      }
      const nested = { long: { entry: { not: { any: [{ left: 'close', op: '==', right: 1 }] } } } };
      assert.ok(!isValid(args(nested)));
    }
  });

  it('say the rules to a guest, and the first fault with its path', async () => {
    const said = await call('check_strategy', { strategy, interval: '1h' }, {});
    assert.match(said.content[0].text, /^Buy at the next open when ema_10 is above ema_50\. /);
    const wrong = { long: { entry: { all: [{ left: 'rsi_14', op: '==', right: 30 }] } } };
    const { isError, structuredContent } = await call('check_strategy', { strategy: wrong }, {});
    assert.deepEqual(
      [isError, structuredContent.error.code, structuredContent.error.field],
      [true, 'invalid_input', 'strategy.long.entry.all[0].op'],
    );
  });

  it('backtest as REST does, and give the rules back in their own words', async () => {
    const { isError, structuredContent, content } = await call('research_backtest', run);
    assert.equal(isError ?? false, false, content[0].text);
    const rest = await service.post('/backend/research/backtest', run, { 'session-token': session });
    const { id, totalReturn, tradeCount, rules } = rest.payload as unknown as ResearchResult;
    assert.deepEqual(
      [structuredContent.id, structuredContent.total_return, structuredContent.trade_count],
      [id, totalReturn, tradeCount],
    );
    assert.ok(tradeCount > 5);
    assert.deepEqual(structuredContent.rules, rules);
    assert.equal(structuredContent.rules.long.maxCandles, 90);
    assert.ok(content[0].text.startsWith('BTC from 2024-03-01 to 2024-11-01: return '), content[0].text);
    const luck = await call('research_luck', { id, paths: 200 });
    const headline =
      /^The run returned -?[\d.]+ % in \d+ trades; [\d.]+ % of 200 resampled paths lose money\./;
    assert.match(luck.content[0].text, headline);
  });

  it('sweep and walk forward over parameters of the rules', async () => {
    const grid = { fastSlow: [5, 10, 20] };
    const swept = await call('research_sweep', { ...run, grid, rank_by: 'totalReturn' });
    assert.match(swept.content[0].text, /^Best of 3 of 3 combinations: fastSlow \d+, return /);
    const walked = await call('research_walk_forward', { ...run, grid, folds: 2 });
    assert.equal(walked.isError ?? false, false, walked.content[0].text);
    assert.match(walked.content[0].text, / over 2 folds\. /);
  });
});
