import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { tools } from '../../../gateway/mcp/tools.js';
import { openTestMarket } from '../../support/candles/market.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { connectMcp, type McpTestClient } from '../../support/mcp/mcp-client.js';
import { fuzzTools } from '../../support/mcp/fuzz-tools.js';
import { sampleArguments } from '../../support/mcp/sample-arguments.js';

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

/** Tools that answer an error to their sample arguments: what they read does not exist. */
const withoutData = new Set([
  // Only a market worker reads the rules of exchanges.
  'get_exchange_rules',
  'get_order_timeline',
  'get_signal_details',
  'research_luck',
  'run_monte_carlo',
]);

describe('every tool', () => {
  let service: TestService;
  let user: McpTestClient;
  let token: string;
  let listed: Awaited<ReturnType<McpTestClient['client']['listTools']>>['tools'];

  before(async () => {
    ({ service, token } = await openTestMarket());
    user = await connectMcp(service.url, { 'session-token': token }, '?fields=full&toolsets=all');
    // The client compiles all schemas of answers with each list.
    ({ tools: listed } = await user.client.listTools());
  });
  after(async () => {
    await user.close();
    await service.close();
  });

  it('is listed in full with all that it publishes and a schema for its answers', () => {
    assert.equal(listed.length, tools.length);
    listed.forEach((tool, n) => {
      const { scope, toolset: _, ...published } = tools[n].listing;
      const { outputSchema, _meta, ...shown } = tool;
      assert.deepEqual(shown, published);
      assert.equal(outputSchema?.type, 'object', tool.name);
      assert.equal(_meta?.scope, scope);
    });
  });

  for (const { listing } of tools)
    it(`${listing.name} answers by its schema within 24 KB, or says what is wrong`, async () => {
      const schema = listed.find(({ name }) => name === listing.name)!.outputSchema!;
      const { structured, isError, bytes, text } = await user.call(listing.name, sampleArguments(listing));
      assert.equal(isError, withoutData.has(listing.name), text);
      assert.ok(bytes <= 24 * 1024, `${bytes} bytes`);
      const isValid: boolean = ajv.validate(schema as object, structured as unknown);
      assert.ok(isValid, ajv.errorsText());
      assert.notEqual(structured.error?.code, 'unexpected');
      assert.doesNotMatch(text, /undefined|NaN|\[object/);
    });

  it('answers any arguments that its schema takes without a fault', async function () {
    this.timeout(60_000);
    const { faults } = await fuzzTools(user, { each: 8, seed: 7 });
    assert.deepEqual(faults, []);
  });

  it('refuses an unknown argument', async () => {
    for (const { listing } of tools) {
      const { structured } = await user.call(listing.name, { ...sampleArguments(listing), nonsense: 1 });
      assert.deepEqual(
        [structured.error.code, structured.error.field],
        ['invalid_input', 'nonsense'],
        listing.name,
      );
    }
  });

  it('answers guests if it is public, and asks others to sign in', async () => {
    const ask = async (name: string, body: object) =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: body },
        }),
      });
    for (const { listing } of tools) {
      const answer = await ask(listing.name, sampleArguments(listing));
      await answer.text();
      const challenge = `Bearer resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp", scope="${listing.scope}"`;
      const expected = listing.scope === 'public' ? [200, null] : [401, challenge];
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], expected, listing.name);
    }
  });
});
