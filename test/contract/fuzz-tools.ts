import { openTestMarket } from '../support/candles/market.js';
import { connectMcp } from '../support/mcp/mcp-client.js';
import { fuzzTools } from '../support/mcp/fuzz-tools.js';
import { closeTestServers } from '../support/servers/servers.js';
import { tools } from '../../gateway/mcp/tools.js';

/** Calls all tools with arguments made from their schemas: `npm run fuzz:tools -- CALLS SEED`, 20,000 and 1 by default. */
const [calls = '20000', seed = '1'] = process.argv.slice(2);
const { service, token } = await openTestMarket();
const client = await connectMcp(service.url, { 'session-token': token });
const started = performance.now();
const report = await fuzzTools(client, {
  each: Math.ceil(Number(calls) / tools.length),
  seed: Number(seed),
});
const seconds = ((performance.now() - started) / 1_000).toFixed(0);
for (const { tool, args, what } of report.faults.slice(0, 50)) console.log(`${tool} ${args}\n  ${what}`);
const silent = tools.map(({ listing }) => listing.name).filter((name) => !report.answered.has(name));
console.log(`never answered: ${silent.join(', ') || 'none'}`);
console.log(
  `${report.calls} calls of ${tools.length} tools in ${seconds} s, ${report.faults.length} faults, largest answer ${report.largestBytes} bytes`,
);
await client.close();
await service.close();
await closeTestServers();
process.exit(report.faults.length > 0 ? 1 : 0);
