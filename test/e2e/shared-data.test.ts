import assert from 'node:assert/strict';
import { periods } from '../../compute/model/interval.js';
import type { BacktestReport } from '../../compute/backtest/backtest-task.js';
import { assertClose } from '../support/numbers/close-to.js';
import { openTestService, type TestService } from '../support/gateway/gateway.js';
import { runNpm } from '../support/process/service-process.js';
import {
  describeWithSharedData,
  sharedJson,
  sharedPairs,
  sharedPath,
  sharedRows,
  sharedSeries,
} from '../support/candles/shared-data.js';

const figures = [
  'totalReturn',
  'tradeCount',
  'winRate',
  'sharpe',
  'maxDrawdown',
  'profitFactor',
  'candles',
] as const;

describeWithSharedData('real candles, imported and asked for over HTTP', function () {
  this.timeout(60_000);
  let service: TestService;
  let token: string;

  const importPair = async (pair: string) => {
    const file = sharedPath(`market/${pair}-1h.csv.gz`);
    const args = ['--pair', pair.replace('_', '/'), '--interval', '1h', '--file', file, '--json'];
    const { redisUrl, mongodbUrl } = service;
    const env = { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl, MARKET: 'csv' };
    const admin = runNpm(['run', '--silent', 'admin', '--', 'candles', 'import', ...args], env);
    assert.equal(await admin.exit, 0, admin.errors);
    return JSON.parse(admin.output) as {
      read: number;
      stored: number;
      alreadyThere: number;
      missing: number;
    };
  };

  before(async () => {
    service = await openTestService();
    token = await service.signIn();
  });
  after(() => service.close());

  for (const pair of sharedPairs) {
    it(`imports ${pair} whole, and changes nothing the second time`, async () => {
      const rows = sharedRows(`market/${pair}-1h.csv.gz`).length;
      const first = await importPair(pair);
      assert.deepEqual([first.read, first.stored, first.alreadyThere], [rows, rows, 0]);
      const second = await importPair(pair);
      assert.deepEqual([second.read, second.stored, second.alreadyThere], [rows, 0, rows]);
      assert.equal(second.missing, first.missing);
    });
  }

  for (const { pair, interval } of sharedSeries) {
    const [asset] = pair.split('_');

    it(`serves chart and flips of ${pair} ${interval} as in the reference`, async () => {
      const flips = sharedRows(`reference/core-line/${pair}-${interval}.flips.csv.gz`);
      const chart = await service.post('/backend/core-line/chart', { asset, interval, limit: 1000 });
      assert.equal(chart.status, 200);
      for (const { time, state } of chart.payload.states as { time: number; state: string }[]) {
        const held = flips.findLast(([since]) => Number(since) <= time * 1000);
        assert.equal(state, held![2], `state at ${time}`);
      }
      assert.equal(chart.payload.state, flips.at(-1)![2]);

      const answer = await service.post('/backend/core-line/flip-intelligence', {
        asset,
        interval,
        limit: 200,
      });
      const expected = flips.slice(1).slice(-200).reverse();
      assert.deepEqual(
        (answer.payload.flips as Record<string, unknown>[]).map(({ date, from, to, close }) => [
          date,
          from,
          to,
          close,
        ]),
        expected.map(([time, from, to, close]) => [
          new Date(Number(time)).toISOString(),
          from,
          to,
          Number(close),
        ]),
      );
    });

    for (const period of periods) {
      it(`backtests ${pair} ${interval} over ${period} as in the reference`, async () => {
        const reference = sharedJson('reference/trend-state-backtests.json') as Record<
          string,
          BacktestReport
        >;
        const expected = reference[`${pair}-${interval}-${period}`];
        const headers = { 'session-token': token };
        const answer = await service.post(
          '/backend/core-line/backtest',
          { asset, interval, period },
          headers,
        );
        assert.equal(answer.status, 200);
        for (const name of figures) assertClose(answer.payload[name] as number, expected[name], name);
        assert.equal(answer.payload.lookAheadCheck.differences, 0);
      });
    }
  }
});
