import assert from 'node:assert/strict';
import { peerStrategy } from '../../bench/rules-peers.js';
import { readFixture } from '../../support/candles/fixture.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { comparedSeries } from '../../support/rules/compared-series.js';
import { plainSettings, runRules } from '../../support/rules/run-rules.js';

interface PeerResult {
  /** Direction, candle of entry, candle of exit. */
  trades: [number, number, number][];
  equityEnd: number;
}

const { long, short } = peerStrategy;

/** Where an engine means the same: rules-peers.py says what it leaves out. */
const peers = {
  'backtesting.py': { strategy: { long, short }, costs: { feeRate: 0.001, slippageRate: 0 } },
  vectorbt: {
    strategy: { long: { entry: long.entry, exit: long.exit } },
    costs: { feeRate: 0.001, slippageRate: 0.0005 },
  },
};

describe('rules in other engines', () => {
  it('make the same trades and money', () => {
    // Made by rules-peers.py; test/support/rules/record-peers-main.ts says how.
    const recorded = readFixture('rules-peers.json.gz') as Record<string, PeerResult>;
    // Each opens at the close before: over a gap a target fills at its price here, and better elsewhere.
    const series = randomCandles(...comparedSeries);
    for (const [name, { strategy, costs }] of Object.entries(peers)) {
      const { run } = runRules(strategy, { A: series }, '1h', { ...plainSettings, costs });
      const own = run.trades.map(({ way, entry, exit }) => [way, entry, exit]);
      assert.deepEqual(own, recorded[name].trades, name);
      assert.ok(own.length > 15, name);
      assertClose(run.equity[run.equity.length - 1], recorded[name].equityEnd, `${name}: equity at the end`);
    }
  });
});
