/**
 * Lets signals be traded while workers are killed and servers break, and compares the books of the exchange with what Tidemark
 * believes. `npm run faults -- signals [runs] [seed] [name of a fault ...] [--scenes 4] [--venue bybit] [--account futures]`: venue and
 * account for the faults of an exchange; the others are on SPOT of the paper exchange. Ends with 1 when an order was made twice or lost,
 * when a position was left, or when an execution did not end as its ledger says. A wave of runs repeats by its seed alone.
 */
import { parseArgs } from 'node:util';
import { closeOnSignals } from '../support/process/close-on-signals.js';
import { engineFaults, exchangeFaults } from '../support/signal-faults/engine-faults.js';
import { FaultScene, type SceneAccount, type SceneVenue } from '../support/signal-faults/fault-scene.js';
import { runWave, type WaveResult } from '../support/signal-faults/fault-wave.js';
import { SentinelSet } from '../support/servers/sentinel-set.js';
import type { LedgerFault } from '../support/signal-faults/judge-execution.js';

/** In each scene; as many as the limits of an exchange let begin within a minute: a new account is read several times before its first order. */
const runsAtOnce = { PAPER: 10, BINANCE: 8, BYBIT: 8, KUCOIN: 8 };
/** Time between two prices. Those of an exchange are asked each second, and each is to be seen. */
const stepMs = { PAPER: 300, BINANCE: 2_000, BYBIT: 2_000, KUCOIN: 2_000 };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  // Waves mostly wait for prices and for what is broken: several scenes, each with servers of its own, share two cores.
  options: {
    scenes: { type: 'string', default: '4' },
    venue: { type: 'string', default: 'binance' },
    account: { type: 'string', default: 'spot' },
  },
});
const [, given = '160', firstSeed = '1', ...names] = positionals;
const breakable = { ...engineFaults, ...exchangeFaults };
const all = Object.keys(breakable);
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no fault "${unknown.join('", "')}"; there are: ${all.join(', ')}`);
  process.exit(2);
}
if (!['spot', 'futures'].includes(values.account)) {
  console.error(`expected the account "spot" or "futures", found "${values.account}"`);
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

/** Runs the waves of a fault, in several scenes at the same time. */
async function runFault(name: string, runs: number, seed: number): Promise<Row> {
  const { workers, breakThings, hasSentinels } = breakable[name];
  const venue = Object.hasOwn(exchangeFaults, name) ? (values.venue.toUpperCase() as SceneVenue) : 'PAPER';
  const row: Row = {
    ...{ runs: 0, executions: 0, orders: 0, fills: 0, settledMs: 0 },
    ...{ unprotectedMs: 0, unprotected: [], beyondLimits: 0, found: new Map() },
  };
  const opened: FaultScene[] = [];
  const close = closeOnSignals(async () => {
    await Promise.all(opened.map((scene) => scene.close()));
  });
  const runScene = async () => {
    const account = venue === 'PAPER' ? 'SPOT' : (values.account.toUpperCase() as SceneAccount);
    const scene = await FaultScene.open({ venue, account }, hasSentinels && (() => SentinelSet.open()));
    opened.push(scene);
    for (let n = 0; n < workers; n++) await scene.startWorker();
    while (row.runs < runs) {
      const terms = {
        seed: seed + row.runs,
        runs: Math.min(runsAtOnce[venue], runs - row.runs),
        breakThings,
      };
      row.runs += terms.runs;
      addWave(row, name, terms, await runWave(scene, { ...terms, stepMs: stepMs[venue], withinMs: 90_000 }));
    }
  };
  const scenes = Math.min(Number(values.scenes), Math.ceil(runs / runsAtOnce[venue]));
  try {
    await Promise.all(Array.from({ length: scenes }, runScene));
  } finally {
    await close();
  }
  return row;
}

function addWave(row: Row, name: string, { seed, runs }: { seed: number; runs: number }, wave: WaveResult) {
  row.executions += wave.executions;
  row.orders += wave.orders;
  row.fills += wave.fills;
  row.beyondLimits += wave.beyondLimits;
  row.settledMs = Math.max(row.settledMs, wave.settledMs);
  if (wave.unprotectedMs > row.unprotectedMs) {
    row.unprotectedMs = wave.unprotectedMs;
    row.unprotected = [`seed ${seed}, ${runs} runs at once`, ...wave.unprotected];
  }
  for (const { fault, execution, detail } of wave.faults) {
    row.found.set(fault, (row.found.get(fault) ?? 0) + 1);
    console.error(`${name}, seed ${seed}: ${fault}: ${execution}: ${detail}`);
  }
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
