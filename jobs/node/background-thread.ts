import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** How far a thread stands back: the system gives it a tenth of what a usual one gets when both want to run. */
const niceness = 10;

/** Lowers the priority of this thread alone, where the system can (Linux has priorities by thread). */
function giveWay(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').pop());
    if (thread !== process.pid) setPriority(thread, niceness);
  } catch {
    // Without it long work competes on equal terms.
  }
}

giveWay();

/** The entry of a thread for long work, which gives way to the threads that somebody waits for. */
export { default } from '../../compute/worker.js';
