import { join } from 'node:path';
import { hashPassword } from '../../storage/users/password.js';
import { openTestMarket } from '../support/candles/market.js';
import { projectRoot } from '../support/harness/paths.js';
import { runAuthorization } from '../support/mcp/authorization-suite.js';
import { conformanceFixtures } from '../support/mcp/conformance-fixtures.js';
import { conformanceRevisions, conformanceSuite, runConformance } from '../support/mcp/conformance-suite.js';
import { closeOnSignals } from '../support/process/close-on-signals.js';
import { closeTestServers } from '../support/servers/servers.js';

/**
 * Runs the conformance suite of the protocol's authors against a gateway over real servers: every scenario that a revision
 * requires of servers, and those for authorization servers. The suite calls tools, prompts and resources of its own, which are registered beside ours. It runs
 * on Node 24, which is fetched if need be; arguments go to it.
 */
const command = [join(projectRoot, 'test/node.sh'), '24', 'node', conformanceSuite()];

const account = { email: 'conformance@example.com', password: 'a long password' };
const { service } = await openTestMarket({ extendMcpServer: conformanceFixtures });
const close = closeOnSignals(async () => {
  await service.close();
  await closeTestServers();
});
let failed = 0;
for (const revision of conformanceRevisions) {
  const run = await runConformance(command, service.url, revision, process.argv.slice(2));
  const isComplete = run.failed.length === 0 && run.passed.length > 0;
  console.log(run.output.slice(isComplete ? run.output.indexOf('=== SUMMARY') : 0));
  console.log(`${revision}: ${run.passed.length} required scenarios pass, ${run.failed.length} fail\n`);
  if (!isComplete) failed += 1;
}
await service.storage.users.add({
  ...({ email: account.email, plan: 'free' } as const),
  passwordHash: await hashPassword(account.password),
});
const run = await runAuthorization(command, service.url, account);
console.log(run.output);
console.log(`authorization: ${run.passed.length} scenarios pass, ${run.failed.length} fail\n`);
if (run.failed.length > 0) failed += 1;
await close();
// Whatever is left open must not keep the result waiting.
process.exit(failed);
