import { join } from 'node:path';
import { computeIndicator } from '../../compute/model/indicator.js';
import { sliceCandles, type Candles } from '../../compute/model/candles.js';
import { ScratchBuffers } from '../../compute/model/scratch-buffers.js';
import { allIndicators } from '../support/candles/indicators-by-name.js';
import { projectRoot } from '../support/harness/paths.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { writeColumns } from './columns-file.js';
import { contestantOf, race, type Contestant } from './contestant.js';
import { fetchedPython } from './fetched.js';
import { loadKernelPeers, type KernelCalls } from './kernel-peers.js';
import { printTable } from './measure.js';
import { PythonProcess } from './python-process.js';

/**
 * Every kernel at its default parameters against TA-Lib called from Python and three npm packages, in one run and in
 * turns. Each is called as its users call it: ours by `computeIndicator` with the used memory of a ScratchBuffers, as every task
 * does, all others with outputs of their own making. `adx` stands for three calls of TA-Lib, one per output. The
 * service runs for long, so everybody is warm. Names given as arguments pick kernels.
 */
const sizes = [
  { count: 8_760, rounds: 41 },
  { count: 525_600, rounds: 15 },
];
const chosen = process.argv.slice(2);
const kernels = allIndicators
  .map(({ name }) => name)
  .filter((name) => chosen.length === 0 || chosen.includes(name));

function talibOf({ high, low, close, volume }: Candles): Contestant {
  const folder = fetchedPython('talib', ['TA-Lib==0.8.2', 'numpy==2.4.6']);
  const columns = writeColumns(`kernels-${close.length}`, [high, low, close, volume]);
  const python = new PythonProcess(join(projectRoot, 'test/bench/kernels-talib.py'), [folder, columns]);
  return {
    title: 'TA-Lib',
    async time(kernel, calls) {
      const answer = await python.ask(`${kernel} ${calls}`);
      return answer === 'none' ? null : Number(answer);
    },
    close: () => python.close(),
  };
}

function ownCalls(candles: Candles): KernelCalls {
  const scratch = new ScratchBuffers();
  const calls = allIndicators.map((indicator) => {
    const call = () => {
      scratch.clear();
      return computeIndicator(indicator, candles, {}, scratch);
    };
    return [indicator.name, call] as const;
  });
  return Object.fromEntries(calls);
}

/**
 * Calls every kernel until it is compiled for good: on few candles, since a function that is entered in the middle of a
 * long loop is not compiled as a whole before some thousand calls, and all twice, since objects of one still change
 * what the compiler has assumed for another.
 */
function warmUp(calls: KernelCalls, times: number): void {
  for (let turn = 0; turn < 2; turn++)
    for (const name of kernels) for (let n = 0; n < times; n++) calls[name]?.();
}

const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

async function benchSize({ count, rounds }: (typeof sizes)[number], peers: Peers): Promise<void> {
  const candles = randomCandles(count);
  const short = sliceCandles(candles, 0, 400);
  warmUp(ownCalls(short), 5_000);
  for (const callsOf of Object.values(peers)) warmUp(callsOf(short), 100);
  const others = Object.entries(peers).map(([title, callsOf]) => contestantOf(title, callsOf(candles)));
  const contestants = [contestantOf('ns per candle', ownCalls(candles)), talibOf(candles), ...others];
  const ratios: number[][] = contestants.slice(1).map(() => []);
  const rows = [['', ...contestants.flatMap(({ title }, n) => (n === 0 ? [title] : [title, 'ratio']))]];
  for (const name of kernels) {
    const [own, ...rest] = await race(contestants, name, rounds);
    const cells = rest.flatMap((theirs, n) => {
      if (theirs === null) return ['-', '-'];
      ratios[n].push(own! / theirs);
      return [(theirs / count).toFixed(2), (own! / theirs).toFixed(2)];
    });
    rows.push([name, (own! / count).toFixed(2), ...cells]);
  }
  for (const contestant of contestants) contestant.close?.();
  const means = ratios.flatMap((each) => ['', each.length > 0 ? geometricMean(each).toFixed(2) : '-']);
  rows.push(['geometric mean', '', ...means]);
  printTable(
    `kernels, ${count.toLocaleString('en')} candles, ns per candle; ratio: ours to theirs, below 1 ours is faster; ` +
      'ours with used memory (ScratchBuffers), theirs with outputs of their own making',
    rows,
  );
}

type Peers = Awaited<ReturnType<typeof loadKernelPeers>>;

const peers = await loadKernelPeers();
for (const size of sizes) await benchSize(size, peers);
