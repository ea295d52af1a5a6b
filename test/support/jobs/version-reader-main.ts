import { parentPort, workerData } from 'node:worker_threads';
import { firstFault, type NumberedCandles } from '../candles/numbered-candles.js';

/** How many versions are read over and over. */
const most = 8;

/** The passes over all versions, in shared memory. */
const passes = workerData as Int32Array;
const versions: NumberedCandles[] = [];
const faults: string[] = [];
let isOver = false;

parentPort!.on('message', (version: NumberedCandles | null) => {
  if (version) versions.push(version);
  else isOver = true;
  // The first stays: all later ones are written behind it.
  if (versions.length > most) versions.splice(1, 1);
});

function read(): void {
  for (const version of versions) {
    const fault = firstFault(version);
    if (fault) faults.push(fault);
  }
  Atomics.add(passes, 0, versions.length > 0 ? 1 : 0);
  if (!isOver) setImmediate(read);
  else {
    parentPort!.postMessage(faults);
    parentPort!.close();
  }
}

read();
