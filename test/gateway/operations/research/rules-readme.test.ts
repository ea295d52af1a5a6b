import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResearchResult } from '../../../../jobs/definitions/research-backtest.js';
import { demoHours } from '../../../support/candles/demo-candles.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { projectRoot } from '../../../support/harness/paths.js';

const readme = readFileSync(join(projectRoot, 'compute/rules/README.md'), 'utf8');
/** Each strategy of the README: what it says of the result, and the body. */
const strategies = [...readme.matchAll(/^(\S.+: \d+ trades[^\n]+)\n\n((?: {4}.+\n)+)/gm)].map(
  ([, said, body]) => ({
    said,
    lines: body.trim().split('\n').length,
    body: JSON.parse(body) as { strategy: object; interval: string },
  }),
);

describe('the strategies of compute/rules/README.md', () => {
  let service: TestService;
  let headers: Record<string, string>;
  before(async () => {
    service = await openTestService();
    for (const base of ['BTC', 'SOL'])
      await service.storage.candles.add(
        { market: 'csv', base, quote: 'USDT' },
        demoHours().get(`${base}_USDT`)!,
      );
    headers = { 'session-token': await service.signIn() };
  });
  after(() => service.close());

  it('are three of at most ten lines each', () => {
    assert.equal(strategies.length, 3);
    assert.ok(strategies.every(({ lines }) => lines <= 10));
  });

  for (const { said, body } of strategies)
    it(`have the result that it tells: ${said}`, async () => {
      const { strategy, interval } = body;
      const checked = await service.post('/backend/research/check', {
        strategy,
        interval,
      });
      assert.equal(checked.status, 200, JSON.stringify(checked.payload));
      const { status, payload } = await service.post('/backend/research/backtest', body, headers);
      assert.equal(status, 200, JSON.stringify(payload));
      const { tradeCount, window, totalReturn, maxDrawdown, entries } = payload as ResearchResult;
      const rest = said.includes('return')
        ? `, return ${totalReturn!.toFixed(1)} %, drawdown ${maxDrawdown!.toFixed(1)} %.`
        : `; ${entries.skippedFull} entries found the one place taken.`;
      const told = `${tradeCount} trades from ${window.from.slice(0, 10)} on${rest}`;
      assert.equal(said.slice(said.indexOf(': ') + 2), told);
    });
});
