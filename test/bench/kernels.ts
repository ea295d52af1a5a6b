import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { computeIndicator } from '../../compute/indicator.js';
import { Room } from '../../compute/model/room.js';
import { allIndicators } from '../support/indicators-by-name.js';
import { randomCandles } from '../support/random-candles.js';
import { projectRoot } from '../support/paths.js';
import { percentile, printTable } from './measure.js';

/**
 * Every kernel at its default parameters against TA-Lib called from Python, in one run and in turns: a round is one
 * sample of each, so that whatever else the machine does meets both. `adx` stands for three calls of TA-Lib, one per
 * output. TA-Lib is fetched into .data/bench on the first run; it is no dependency.
 */
const folder = join(projectRoot, '.data/bench');
const package_ = 'TA-Lib==0.8.2';
const sizes = [
  { count: 8_760, calls: 40, rounds: 40 },
  { count: 525_600, calls: 1, rounds: 15 },
];

/** A Python process that times one call of TA-Lib after the other. */
class TalibProcess {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(columns: string) {
    const script = join(projectRoot, 'test/bench/kernels-talib.py');
    this.#process = spawn('python3', [script, folder, columns]);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** How long one call takes in ns; null where TA-Lib has no such kernel. */
  async time(name: string, calls: number): Promise<number | null> {
    this.#process.stdin.write(`${name} ${calls}\n`);
    const { value, done } = (await this.#lines.next()) as IteratorResult<string, undefined>;
    if (done) throw new Error(`TA-Lib ended while it was asked for "${name}"`);
    return value === 'none' ? null : Number(value);
  }

  close(): void {
    this.#process.stdin.end();
  }
}

const median = (values: readonly number[]) => percentile(values, 0.5);

const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

function installTalib(): void {
  if (existsSync(join(folder, 'talib'))) return;
  mkdirSync(folder, { recursive: true });
  execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, package_, 'numpy'], {
    stdio: 'inherit',
  });
}

function timeKernel(call: () => unknown, calls: number): number {
  call();
  const started = performance.now();
  for (let n = 0; n < calls; n++) call();
  return ((performance.now() - started) * 1e6) / calls;
}

async function benchSize({ count, calls, rounds }: (typeof sizes)[number]): Promise<void> {
  const candles = randomCandles(count);
  const path = join(folder, `columns-${count}.bin`);
  const { high, low, close, volume } = candles;
  writeFileSync(
    path,
    Buffer.concat([high, low, close, volume].map((each) => new Uint8Array(each.slice().buffer))),
  );
  const talib = new TalibProcess(path);
  const room = new Room();
  const rows = [['', 'ns per candle', 'TA-Lib', 'ratio']];
  const ratios: number[] = [];
  const chosen = process.argv.slice(2);
  for (const indicator of allIndicators) {
    if (chosen.length > 0 && !chosen.includes(indicator.name)) continue;
    const own: number[] = [];
    const theirs: number[] = [];
    const kernel = () => {
      room.clear();
      return computeIndicator(indicator, candles, {}, room);
    };
    for (let round = -3; round < rounds; round++) {
      const mine = timeKernel(kernel, calls);
      const peer = await talib.time(indicator.name, calls);
      if (round < 0) continue;
      own.push(mine / count);
      if (peer !== null) theirs.push(peer / count);
    }
    const known = theirs.length > 0;
    const ratio = median(own) / median(theirs);
    if (known) ratios.push(ratio);
    const peer = known ? [median(theirs).toFixed(2), ratio.toFixed(2)] : ['-', '-'];
    rows.push([indicator.name, median(own).toFixed(2), ...peer]);
  }
  talib.close();
  rows.push(['geometric mean', '', '', geometricMean(ratios).toFixed(2)]);
  printTable(`kernels, ${count.toLocaleString('en')} candles`, rows);
}

installTalib();
for (const size of sizes) await benchSize(size);
