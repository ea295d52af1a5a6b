import assert from 'node:assert/strict';
import { runBacktest } from '../../../compute/backtest/engine.js';
import type { RuleTrade } from '../../../compute/backtest/trade-rules.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { paramsOf } from '../../../compute/model/indicator.js';
import { parseStrategy } from '../../../compute/rules/parse-strategy.js';
import { templateNamed } from '../../../compute/rules/templates.js';
import { strategyNamed, strategyNames } from '../../../compute/strategies/index.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { plainSettings, runRules } from '../../support/rules/run-rules.js';

type KnownTrade = Pick<
  RuleTrade,
  'entry' | 'exit' | 'exitReason' | 'entryPrice' | 'exitPrice' | 'returnRate'
>;

const candles = demoCandles('SOL_USDT', '4h');

describe('templates', () => {
  for (const name of strategyNames)
    it(`makes the trades of the built-in strategy: ${name}`, () => {
      const strategy = strategyNamed(name);
      const params = paramsOf(strategy.params);
      const { run } = runRules(templateNamed(name)!, { ETH: candles }, '4h');
      const targets = computeTargets(strategy, candles, params);
      const from = candles.time.indexOf(run.time[0]);
      const expected = runBacktest(candles, targets, from, plainSettings.costs).trades;
      const known = ({ entry, exit, exitReason, ...prices }: KnownTrade) =>
        [entry, exit, exitReason, prices.entryPrice, prices.exitPrice, prices.returnRate.toFixed(9)] as const;
      assert.deepEqual(run.trades.map(known), expected.map(known));
      assert.ok(expected.length > 0);
    });

  it('have the parameters of the built-in strategies', () => {
    for (const name of strategyNames) {
      const { params } = parseStrategy(templateNamed(name));
      const expected = Object.entries(strategyNamed(name).params).map(
        ([param, { title: _title, ...spec }]) => [param, { step: 1, ...spec }],
      );
      assert.deepEqual(params, Object.fromEntries(expected));
    }
  });

  it('are found by their names alone', () => {
    assert.equal(templateNamed('constructor'), undefined);
  });
});
