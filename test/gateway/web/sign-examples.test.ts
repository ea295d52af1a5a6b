import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestService } from '../../support/gateway/gateway.js';
import { openTestMarket } from '../../support/candles/market.js';
import { projectRoot } from '../../support/harness/paths.js';
import { testSecret } from '../../support/gateway/signed.js';

const run = promisify(execFile);
const examples = {
  TypeScript: [process.execPath, join(projectRoot, 'dist/gateway/web/examples/sign-request.js')],
  Python: ['python3', join(projectRoot, 'gateway/web/examples/sign_request.py')],
};

describe('the examples of signing', function () {
  this.timeout(60_000);
  let service: TestService;

  before(async () => {
    ({ service } = await openTestMarket({ env: { AI_API_SECRETS: testSecret } }));
  });
  after(() => service.close());

  for (const [language, [program, script]] of Object.entries(examples)) {
    const ask = async (...args: string[]) => {
      const { stdout } = await run(program, [script, service.url, ...args]);
      return JSON.parse(stdout) as Record<string, unknown>;
    };

    it(`in ${language} ask with GET and POST`, async () => {
      const price = await ask(testSecret, 'GET', '/v3/ai/get_price?base_asset=BTC');
      assert.equal(price.symbol, 'BTC/USDT');
      const risk = await ask(testSecret, 'POST', '/v3/ai/assess_risk', '{"coin": "ETH"}');
      assert.equal(typeof risk.score, 'number');
    });

    it(`in ${language} ask as a partner`, async () => {
      const { key, secret } = await service.storage.partners.add(
        language,
        await service.deps.exchanges.exchanges.box(),
      );
      const { result } = await ask(`${key}:${secret}`, 'GET', '/v1/signal');
      assert.deepEqual(result, { type: 'OPERATION_PERFORMED' });
    });

    it(`in ${language} tell of a refusal`, async () => {
      await assert.rejects(ask('wrong', 'GET', '/v3/ai/get_price?base_asset=BTC'), ({ code, stdout }) => {
        assert.equal((JSON.parse(stdout) as { error: { code: string } }).error.code, 'unauthorized');
        return code === 1;
      });
    });
  }
});
