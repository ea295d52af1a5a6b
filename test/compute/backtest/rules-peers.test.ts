import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeColumns } from '../../bench/columns-file.js';
import { fetchedPython } from '../../bench/fetched.js';
import { PythonProcess } from '../../bench/python-process.js';
import { peerPackages, peerStrategy } from '../../bench/rules-peers.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { projectRoot } from '../../support/harness/paths.js';
import { notFetched, skip } from '../../support/harness/skip.js';
import { assertClose } from '../../support/numbers/close-to.js';
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

describe('rules in other engines', function () {
  this.timeout(600_000);
  let packages: string;
  before(function () {
    try {
      packages = fetchedPython('backtest', peerPackages);
    } catch (error) {
      skip(this, notFetched('backtesting.py, vectorbt', 'python3 with pip, and PyPI', error));
    }
  });

  it('make the same trades and money', async () => {
    // Each opens at the close before: over a gap a target fills at its price here, and better elsewhere.
    const series = randomCandles(2_000, { seed: 8 });
    const { open, high, low, close } = series;
    const columns = writeColumns('rules', [open, high, low, close]);
    const python = new PythonProcess(join(projectRoot, 'test/bench/rules-peers.py'), [packages, columns]);
    for (const [name, { strategy, costs }] of Object.entries(peers)) {
      const { run } = runRules(strategy, { A: series }, '1h', { ...plainSettings, costs });
      const peer = JSON.parse(await python.ask(`result ${name}`)) as PeerResult;
      const own = run.trades.map(({ way, entry, exit }) => [way, entry, exit]);
      assert.deepEqual(own, peer.trades, name);
      assert.ok(own.length > 15, name);
      assertClose(run.equity[run.equity.length - 1], peer.equityEnd, `${name}: equity at the end`);
    }
    python.close();
  });
});
