/** A thread that reads a candle file and posts the number of valid candles. */
import { parentPort, workerData } from 'node:worker_threads';
import { readCandleFile } from '../../../storage/candle-files/read-candle-file.js';

let count = 0;
for await (const line of readCandleFile(String(workerData), { nowMs: Date.now() }))
  if ('row' in line) count++;
parentPort?.postMessage(count);
