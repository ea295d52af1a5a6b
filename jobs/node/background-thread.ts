import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** With this niceness a thread gets about a tenth of the CPU time of a normal thread when both want to run. */
const niceness = 10;

/** Lowers the priority of this thread alone, where the system can: Linux has priorities for each thread. */
function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').pop());
    if (thread !== process.pid) setPriority(thread, niceness);
  } catch {
    // Without priorities for threads, long work has the same priority as short work.
  }
}

lowerPriority();

/** The entry of a thread for long work, with a lower priority than threads for short work. */
export { default } from '../../compute/worker.js';
