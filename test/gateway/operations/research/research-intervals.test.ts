import assert from 'node:assert/strict';
import { join } from 'node:path';
import { figuresOf } from '../../../../compute/backtest/report.js';
import { reportRuleTrades } from '../../../../compute/backtest/rules-report.js';
import { candlesPerYear, intervalMs } from '../../../../compute/model/interval.js';
import { roundFigures } from '../../../../compute/model/round-figures.js';
import type { ResearchResult } from '../../../../jobs/definitions/research-backtest.js';
import type { ResearchSweepReport } from '../../../../jobs/definitions/sweep-rules.js';
import { CandleImport } from '../../../../jobs/market/candle-import.js';
import { randomCandles } from '../../../support/candles/random-candles.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { projectRoot } from '../../../support/harness/paths.js';
import { assertClose } from '../../../support/numbers/close-to.js';
import { runRules } from '../../../support/rules/run-rules.js';

const strategy = {
  params: { slow: { default: 50, min: 20, max: 60, step: 10 } },
  long: {
    entry: {
      all: [
        { left: 'ema_10', op: '>', right: 'ema_{slow}' },
        { left: 'rsi_14@4h', op: '<', right: 70 },
      ],
    },
    exit: { left: 'ema_10', op: '<', right: 'ema_{slow}' },
    stopLoss: { atr: 2 },
  },
};

describe('research on short candles', () => {
  let service: TestService;
  let token: string;
  const pair = (base: string) => ({ market: 'csv', base, quote: 'USDT' });
  const ask = (path: string, body: object) =>
    service.post(`/backend/research/${path}`, { strategy, ...body }, { 'session-token': token });

  before(async () => {
    service = await openTestService();
    token = await service.signIn();
  });
  after(() => service.close());

  for (const [interval, asset] of [
    ['15m', 'QTR'],
    ['5m', 'FIV'],
  ] as const)
    it(`trades imported candles of ${interval} as the engine does, and sweeps them`, async () => {
      const candles = randomCandles(4_000, { stepMs: intervalMs(interval), seed: 5 });
      await service.storage.candles.add(pair(asset), candles, interval);
      const { payload, status } = await ask('backtest', { asset, interval });
      assert.equal(status, 200, JSON.stringify(payload));
      const report = payload as unknown as ResearchResult;
      const expected = runRules(strategy, { [asset]: candles }, interval);
      assert.ok(report.trades.length > 10);
      assert.deepEqual(report.trades, roundFigures(reportRuleTrades(expected.run.trades, expected.assets)));
      const figures = roundFigures(figuresOf(expected.run, candlesPerYear(interval))) as object;
      for (const [name, value] of Object.entries(figures))
        assert.equal(report[name as keyof ResearchResult], value, name);
      assert.equal(report.interval, interval);
      const swept = await ask('sweep', { asset, interval, grid: { slow: [50] } });
      const { best, window } = swept.payload as unknown as ResearchSweepReport;
      assert.deepEqual(
        [best[0].totalReturn, best[0].tradeCount, window],
        [report.totalReturn, report.tradeCount, report.window],
      );
    });

  it('trades what was imported from a feather file of freqtrade', async () => {
    const file = join(projectRoot, 'test/fixtures/candle-files/flat.feather');
    const imported = await new CandleImport(service.storage, pair('FLAT'), () => undefined).run(
      file,
      Date.now(),
    );
    assert.equal(imported.stored, 4_000);
    const flat = { long: { entry: { left: 'close', op: '=', right: 'sma_5' }, maxCandles: 9 } };
    const { payload } = await ask('backtest', { asset: 'FLAT', interval: '1h', strategy: flat });
    const { trades, window } = payload as unknown as ResearchResult;
    // Nine candles are held, and on the tenth the same side is entered anew.
    const fee = 0.001;
    const [bought, sold] = [1.5 * 1.0005, 1.5 * 0.9995];
    assert.equal(trades.length, Math.ceil((4_000 - 5) / 10));
    assert.deepEqual(
      [trades[0].entryPrice, trades[0].exitPrice, trades[0].candles, window.from],
      [bought, sold, 9, '2024-01-01T04:00:00.000Z'],
    );
    assertClose(trades[0].return, ((sold * (1 - fee)) / (bought * (1 + fee)) - 1) * 100, 'return');
  });

  it('takes at most 600,000 candles in a run, of all assets together', async () => {
    const first = Date.UTC(2018, 0, 1);
    for (const base of ['ONE', 'TWO'])
      await service.storage.series.put(
        {
          ...pair(base),
          ...{ interval: '5m', first, last: first + 300_000 * intervalMs('5m'), count: 300_001 },
          ...{ missing: 0, gaps: [], digest: base, updatedAt: new Date() },
        },
        1,
      );
    const asked = { assets: ['ONE', 'TWO'], interval: '5m' };
    const refused = await ask('backtest', asked);
    assertRefused(refused, { status: 400, type: 'INVALID_INPUT_FROM', field: 'from' });
    const { message } = refused.payload as { message: string };
    assert.match(
      message,
      /^at most 600000 candles can be tested in one run, found 600002: ask for a later "from"/,
    );
    // A day later it is not the number that is wrong: no candles of these assets are stored.
    const fewer = await ask('backtest', { ...asked, from: '2018-01-02' });
    assert.match(
      (fewer.payload as { message: string }).message,
      /ONE has no closed 5m candle before the end of the window$/,
    );
  });
});
