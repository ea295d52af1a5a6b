import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeColumns } from '../../bench/columns-file.js';
import { fetchedPython } from '../../bench/fetched.js';
import { PythonProcess } from '../../bench/python-process.js';
import { peerPackages } from '../../bench/rules-peers.js';
import { randomCandles } from '../candles/random-candles.js';
import { projectRoot } from '../harness/paths.js';
import { comparedSeries } from './compared-series.js';

/**
 * Writes test/fixtures/rules-peers.json.gz: the trades and the money of the pinned engines on `comparedSeries`.
 * `node dist/test/support/rules/record-peers-main.js`, with Python, pip and PyPI.
 */
const { open, high, low, close } = randomCandles(...comparedSeries);
const columns = writeColumns('rules', [open, high, low, close]);
const packages = fetchedPython('backtest', peerPackages);
const python = new PythonProcess(join(projectRoot, 'test/bench/rules-peers.py'), [packages, columns]);
const results: Record<string, unknown> = {};
for (const name of ['backtesting.py', 'vectorbt'])
  results[name] = JSON.parse(await python.ask(`result ${name}`));
python.close();
writeFileSync(join(projectRoot, 'test/fixtures/rules-peers.json.gz'), gzipSync(JSON.stringify(results)));
