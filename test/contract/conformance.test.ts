import assert from 'node:assert/strict';
import { hashPassword } from '../../storage/users/password.js';
import { openTestMarket } from '../support/candles/market.js';
import type { TestService } from '../support/gateway/gateway.js';
import { authorizationScenarios, runAuthorization } from '../support/mcp/authorization-suite.js';
import { conformanceFixtures } from '../support/mcp/conformance-fixtures.js';
import {
  conformanceSuite,
  newerNode,
  noNewerNode,
  runConformance,
} from '../support/mcp/conformance-suite.js';
import { notFetched, skip } from '../support/harness/skip.js';

/** How many scenarios a revision requires of servers, as the suite's own requirements/<revision>.yaml list them. */
const required = { '2025-11-25': 30, '2026-07-28': 37 };

describe('the conformance suite of the protocol', function () {
  this.timeout(60_000);
  let service: TestService | undefined;
  let command: string[];

  before(async function () {
    const node = newerNode();
    if (node === null) return skip(this, noNewerNode);
    try {
      command = [node, conformanceSuite()];
    } catch (error) {
      return skip(this, notFetched('the conformance suite', 'the npm registry', error));
    }
    ({ service } = await openTestMarket({ extendMcpServer: conformanceFixtures }));
  });
  after(() => service?.close());

  for (const [revision, count] of Object.entries(required)) {
    it(`passes every scenario that ${revision} requires`, async () => {
      const { passed, failed, output } = await runConformance(command, service!.url, revision);
      assert.deepEqual(failed, [], output.slice(output.indexOf('=== SUMMARY')));
      assert.equal(passed.length, count);
    });
  }

  it('passes the scenarios for authorization servers', async () => {
    const account = { email: 'conformance@example.com', password: 'a long password' };
    const passwordHash = await hashPassword(account.password);
    await service!.storage.users.add({ email: account.email, plan: 'free', passwordHash });
    const { passed, failed, output } = await runAuthorization(command, service!.url, account);
    assert.deepEqual([failed, passed], [[], [...authorizationScenarios]], output);
  });
});
