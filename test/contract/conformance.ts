import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fetchedNpm } from '../bench/fetched.js';
import { openTestMarket } from '../support/candles/market.js';
import { projectRoot } from '../support/harness/paths.js';
import { closeOnSignals } from '../support/process/close-on-signals.js';
import { closeTestServers } from '../support/servers/servers.js';
import { conformanceFixtures } from '../support/mcp/conformance-fixtures.js';

/**
 * Runs the conformance suite of the protocol's authors against a gateway over real servers: every scenario that a revision
 * requires of servers. The suite calls tools, prompts and resources of its own, which are registered beside ours. It is
 * fetched into `.data/bench` and runs on Node 24; arguments go to it.
 */
const release = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const revisions = ['2025-11-25', '2026-07-28'];

const suite = join(
  fetchedNpm('conformance', [release]),
  'node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

const { service } = await openTestMarket({ extendMcpServer: conformanceFixtures });
const close = closeOnSignals(async () => {
  await service.close();
  await closeTestServers();
});
let failed = 0;
for (const revision of revisions) {
  const args = [
    'server',
    '--url',
    `${service.url}/mcp`,
    '--requirements',
    revision,
    ...process.argv.slice(2),
  ];
  const run = spawn(join(projectRoot, 'test/node-24.sh'), ['node', suite, ...args], { stdio: 'inherit' });
  const [code] = (await once(run, 'close')) as [number];
  if (code !== 0) failed += 1;
}
await close();
// Whatever is left open must not keep the result waiting.
process.exit(failed);
