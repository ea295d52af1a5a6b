/**
 * Lets signals be traded while workers are killed and servers break, and compares the books of the exchange with what Tidemark
 * believes. `npm run faults -- signals [runs] [seed] [name of a fault ...]`; ends with 1 when an order was made twice or lost,
 * when a position was left, or when an execution did not end as its ledger says.
 */
import { closeOnSignals } from '../support/process/close-on-signals.js';
import { engineFaults, exchangeFaults } from '../support/signal-faults/engine-faults.js';
import { FaultScene } from '../support/signal-faults/fault-scene.js';
import { runWave, type WaveResult } from '../support/signal-faults/fault-wave.js';
import { SentinelSet } from '../support/servers/sentinel-set.js';
import type { LedgerFault } from '../support/signal-faults/judge-execution.js';

/** As many as the limits of an exchange let begin within a minute: a new account is read several times before its first order. */
const runsAtOnce = { PAPER: 40, BINANCE: 8 };
/** Time between two prices. Those of an exchange are asked each second, and each is to be seen. */
const stepMs = { PAPER: 300, BINANCE: 2_000 };
const [, given = '160', firstSeed = '1', ...names] = process.argv.slice(2);
const breakable = { ...engineFaults, ...exchangeFaults };
const all = Object.keys(breakable);
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no fault "${unknown.join('", "')}"; there are: ${all.join(', ')}`);
  process.exit(2);
}
const chosen = names.length > 0 ? names : all;

interface Row extends Omit<WaveResult, 'faults'> {
  runs: number;
  found: Map<LedgerFault, number>;
}

const columns: LedgerFault[] = [
  'duplicate order',
  'unknown order',
  'lost order',
  'wrong fills',
  'order left open',
  'wrong position',
  'position left',
  'over-invested',
  'not ended',
  'worker crashed',
];

async function runFault(name: string, runs: number, seed: number): Promise<Row> {
  const venue = Object.hasOwn(exchangeFaults, name) ? 'BINANCE' : 'PAPER';
  const scene = await FaultScene.open(venue, breakable[name].hasSentinels && (() => SentinelSet.open()));
  const close = closeOnSignals(() => scene.close());
  const row: Row = {
    runs: 0,
    executions: 0,
    orders: 0,
    fills: 0,
    settledMs: 0,
    unprotectedMs: 0,
    unprotected: [],
    beyondLimits: 0,
    found: new Map(),
  };
  try {
    const { workers, breakThings } = breakable[name];
    for (let n = 0; n < workers; n++) await scene.startWorker();
    while (row.runs < runs) {
      const count = Math.min(runsAtOnce[scene.venue], runs - row.runs);
      const terms = { seed: seed + row.runs, runs: count, breakThings };
      const result = await runWave(scene, { ...terms, stepMs: stepMs[scene.venue], withinMs: 90_000 });
      row.runs += count;
      row.executions += result.executions;
      row.orders += result.orders;
      row.fills += result.fills;
      row.settledMs = Math.max(row.settledMs, result.settledMs);
      if (result.unprotectedMs > row.unprotectedMs) {
        row.unprotectedMs = result.unprotectedMs;
        row.unprotected = [`seed ${terms.seed}, ${count} runs at once`, ...result.unprotected];
      }
      row.beyondLimits = result.beyondLimits;
      for (const { fault, execution, detail } of result.faults) {
        row.found.set(fault, (row.found.get(fault) ?? 0) + 1);
        console.error(`${name}, seed ${terms.seed}: ${fault}: ${execution}: ${detail}`);
      }
    }
  } finally {
    await close();
  }
  return row;
}

const ends = ['beyond limits', 'longest unprotected', 'longest to end'];
const heads = ['fault', 'runs', 'executions', 'orders', 'fills', ...columns, ...ends];
console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => '---|').join('')}`);
let isGood = true;
const each = Math.ceil(Number(given) / chosen.length);
for (const [n, name] of chosen.entries()) {
  const row = await runFault(name, each, Number(firstSeed) + n * 1_000);
  const { runs, executions, orders, fills, found } = row;
  const counts = columns.map((column) => found.get(column) ?? 0);
  const times = [row.unprotectedMs, row.settledMs].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
  const cells = [name, runs, executions, orders, fills, ...counts, row.beyondLimits, ...times];
  console.log(`| ${cells.join(' | ')} |`);
  if (row.unprotectedMs > 0) console.error(row.unprotected.join('\n'));
  isGood = isGood && found.size === 0 && orders > 0;
}
process.exitCode = isGood ? 0 : 1;
