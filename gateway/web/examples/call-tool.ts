import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/**
 * Calls a tool of the connector and prints its answer. Needs Node 20 and `npm install @modelcontextprotocol/client`. Without a
 * token the public tools answer; with a personal access token those that it allows:
 *
 *   node call-tool.js http://127.0.0.1:3000/mcp get_momentum_reading '{"asset": "BTC"}' [TOKEN]
 */
const [url, name, given = '{}', token] = process.argv.slice(2);

const client = new Client({ name: 'my-program', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const requestInit = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
const answer = await client.callTool({ name, arguments: JSON.parse(given) as Record<string, unknown> });
console.log(JSON.stringify(answer.structuredContent ?? answer.content, null, 2));
await client.close();
process.exitCode = answer.isError === true ? 1 : 0;
