import assert from 'node:assert/strict';
import { catalogue } from '../../../gateway/mcp/catalogue.js';
import { extensionTools } from '../../../gateway/mcp/extensions.js';
import { describeWithSharedData, sharedJson } from '../../support/candles/shared-data.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';

interface Listed {
  name: string;
  securitySchemes: { type: string; scopes?: string[] }[];
  _meta: { scope: string; toolset: string };
  inputSchema: { required?: string[]; properties: Record<string, object> };
}

/** The agreed core of small clients, and what a trader can't do without. */
const core =
  `list_assets get_price get_candles get_trend_state scan_trend_states get_technical_summary get_support_resistance
get_market_overview screen_assets assess_risk calculate_position_size get_portfolio_status get_pnl_summary run_backtest
ask_assistant`.split(/\s+/);

describe('tools/list', () => {
  let service: TestService;
  before(async () => {
    ({ service } = await openTestMarket());
  });
  after(() => service.close());

  /** The bytes of the answer, and the tools in it. */
  async function list(query: string): Promise<{ bytes: number; tools: Listed[] }> {
    const answer = await fetch(`${service.url}/mcp${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const text = await answer.text();
    const { result } = JSON.parse(text) as { result: { tools: Listed[] } };
    return { bytes: Buffer.byteLength(text), tools: result.tools };
  }

  it('is at most 40 KB, and at most 10 KB as its core', async () => {
    const whole = await list('');
    assert.deepEqual(
      whole.tools.map(({ name }) => name),
      catalogue.map(({ name }) => name),
    );
    assert.ok(whole.bytes <= 40 * 1024, `${whole.bytes} bytes`);
    const small = await list('?toolsets=core');
    assert.deepEqual(small.tools.map(({ name }) => name).toSorted(), core.toSorted());
    assert.ok(small.bytes <= 10 * 1024, `${small.bytes} bytes`);
  });

  it('says of each tool who may call it and what its toolset is called', async () => {
    for (const query of ['', '?fields=full'])
      for (const { name, securitySchemes, _meta } of (await list(query)).tools) {
        const open = { type: 'noauth' };
        const signedIn = { type: 'oauth2', scopes: [_meta.scope] };
        assert.deepEqual(securitySchemes, [_meta.scope === 'public' ? open : signedIn], name);
      }
  });

  it('names every argument that the full list names, and leaves out what their names say', async () => {
    const full = new Map((await list('?fields=full')).tools.map((tool) => [tool.name, tool.inputSchema]));
    for (const { name, inputSchema } of (await list('')).tools) {
      const { properties, required } = full.get(name)!;
      assert.deepEqual(Object.keys(inputSchema.properties), Object.keys(properties), name);
      assert.deepEqual(inputSchema.required, required, name);
    }
  });

  it('has extensions only for their toolset, and for all', async () => {
    const extensions = extensionTools.map(({ listing }) => listing.name);
    const named = async (query: string) =>
      (await list(query)).tools.map(({ name }) => name).filter((name) => extensions.includes(name));
    assert.deepEqual(await named('?toolsets=research'), extensions);
    assert.deepEqual(await named('?toolsets=all'), extensions);
    assert.deepEqual(await named('?toolsets=core,risk'), []);
  });

  describeWithSharedData('against the agreed list', () => {
    it('has the agreed scopes and toolsets', async () => {
      const agreed = sharedJson('../spec/mcp-tools.json') as Listed[];
      const shown = (tools: Listed[]) => tools.map(({ name, _meta }) => [name, _meta]);
      assert.deepEqual(shown((await list('')).tools), shown(agreed));
    });
  });
});
