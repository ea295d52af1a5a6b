import assert from 'node:assert/strict';
import { dirname, delimiter, join } from 'node:path';
import type { Context } from 'mocha';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fetchedNpm, fetchedPython } from '../bench/fetched.js';
import { openTestMarket } from '../support/candles/market.js';
import { runCommand } from '../support/clients/run-command.js';
import type { TestService } from '../support/gateway/gateway.js';
import { projectRoot } from '../support/harness/paths.js';
import { newerNode, noNewerNode } from '../support/mcp/conformance-suite.js';
import { notFetched, skip } from '../support/harness/skip.js';

const inspectorRelease = '@modelcontextprotocol/inspector@2.12.0';
const bridgeRelease = 'mcp-remote@0.15.1';
const pythonRelease = 'mcp==2.3.0';

/** What `fetch` answers; where it can't be had, the test is skipped. */
function orSkip(context: Context, name: string, fetch: () => string): string {
  try {
    return fetch();
  } catch (error) {
    return skip(context, notFetched(name, 'its registry: npm, or PyPI by python3 with pip', error));
  }
}

describe('MCP clients made by others', function () {
  this.timeout(240_000);
  let service: TestService;
  let token: string;

  before(async () => ({ service, token } = await openTestMarket()));
  after(() => service.close());

  const personalToken = async (): Promise<string> => {
    const headers = { 'session-token': await service.signIn() };
    const { payload } = await service.post('/backend/tokens', { name: 'laptop' }, headers);
    return (payload as { token: string }).token;
  };

  for (const [mode, revision] of [
    ['auto', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ] as const) {
    it(`the Python package lists and calls tools, signs in and reads errors (${revision})`, async function () {
      const packages = orSkip(this, 'the Python client', () => fetchedPython('mcp-python', [pythonRelease]));
      const script = join(projectRoot, 'test/e2e/mcp_client.py');
      const env = { ...process.env, PYTHONPATH: packages };
      const printed = await runCommand('python3', [script, `${service.url}/mcp`, token, mode], {
        cwd: projectRoot,
        env,
      });
      const { tools, ...seen } = JSON.parse(printed) as { tools: string[] };
      assert.ok(tools.includes('get_momentum_reading') && tools.includes('assess_risk'));
      assert.deepEqual(seen, {
        revision,
        reading: [false, 'BTC'],
        mistake: [true, 'trade_market'],
        unknown: 'there is no tool "get_momentum"; tools/list names them',
        progress: true,
        refused: 'invalid_token',
        account: true,
      });
    });
  }

  it('a client that knows the list of tools alone serves ten tasks of a trader, written as people write, without a refusal', async function () {
    const packages = orSkip(this, 'the Python client', () => fetchedPython('mcp-python', [pythonRelease]));
    const script = join(projectRoot, 'test/e2e/mcp_trader.py');
    const env = { ...process.env, PYTHONPATH: packages };
    const printed = await runCommand('python3', [script, `${service.url}/mcp`, await personalToken()], {
      cwd: projectRoot,
      env,
    });
    assert.deepEqual(JSON.parse(printed), { calls: 10, refusals: [], missed: [] });
  });

  it('the example in Python calls tools, with and without a personal access token', async function () {
    const packages = orSkip(this, 'the Python client', () => fetchedPython('mcp-python', [pythonRelease]));
    const script = join(projectRoot, 'gateway/web/examples/call_tool.py');
    const env = { ...process.env, PYTHONPATH: packages };
    const call = async (...more: string[]) => {
      const args = [script, `${service.url}/mcp`, 'get_momentum_reading', '{"asset": "BTC"}', ...more];
      const printed = await runCommand('python3', args, { cwd: projectRoot, env });
      return (JSON.parse(printed) as { asset: string }).asset;
    };
    assert.deepEqual([await call(), await call(await personalToken())], ['BTC', 'BTC']);
    await assert.rejects(call(`pat_${'0'.repeat(64)}`));
  });

  it('the command line of the inspector lists and calls tools, with and without a token', async function () {
    const node = newerNode();
    if (node === null) return skip(this, noNewerNode);
    const inspector = orSkip(this, 'the inspector', () =>
      join(fetchedNpm('mcp-inspector', [inspectorRelease]), 'node_modules/.bin/mcp-inspector'),
    );
    const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
    const inspect = async (...args: string[]) =>
      JSON.parse(
        await runCommand(inspector, ['--cli', `${service.url}/mcp`, ...args], { cwd: projectRoot, env }),
      ) as { tools: { name: string }[]; structuredContent: { asset: string } };
    const { tools } = await inspect('--method', 'tools/list');
    assert.ok(tools.some(({ name }) => name === 'get_momentum_reading'));
    const call = ['--method', 'tools/call', '--tool-name', 'get_momentum_reading', '--tool-arg', 'asset=BTC'];
    const header = (value: string) => ['--header', `session-token: ${value}`];
    for (const more of [[], header(token)]) {
      const { structuredContent } = await inspect(...call, ...more);
      assert.equal(structuredContent.asset, 'BTC');
    }
    // It takes a 401 for a question to sign in.
    await assert.rejects(inspect(...call, ...header('x'.repeat(43))), /auth_required/);
  });

  it('a stdio bridge carries a client that has no HTTP', async function () {
    const bridge = orSkip(this, 'the stdio bridge', () =>
      join(fetchedNpm('mcp-remote', [bridgeRelease]), 'node_modules/.bin/mcp-remote'),
    );
    const args = [`${service.url}/mcp`, '--allow-http', '--transport', 'http-only'];
    const transport = new StdioClientTransport({
      command: bridge,
      // As the help page says it.
      args: [...args, '--header', 'Authorization:${AUTHORIZATION}'],
      env: { ...getDefaultEnvironment(), AUTHORIZATION: `Bearer ${await personalToken()}` },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({
      name: 'get_momentum_reading',
      arguments: { asset: 'BTC' },
    });
    assert.equal((structuredContent as { asset: string }).asset, 'BTC');
    const question = { name: 'ask_assistant', arguments: { message: 'How is BTC?' } };
    // Without a token it would be refused as a whole.
    assert.ok((await client.callTool(question)).content.length > 0);
    await client.close();
  });
});
