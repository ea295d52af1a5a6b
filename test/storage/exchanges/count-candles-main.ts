/** A thread that reads a candle file and posts the number of valid candles. */
import { parentPort, workerData } from 'node:worker_threads';
import { readCandleCsv } from '../../../storage/exchanges/candle-csv.js';

let count = 0;
for await (const line of readCandleCsv(String(workerData), Date.now())) if ('row' in line) count++;
parentPort?.postMessage(count);
