import { readdirSync, readFileSync } from 'node:fs';

const tickMs = 10;

/**
 * The CPU times in ms, by process id, of a process, of what it has started, and so on: each with those of its children that have
 * ended. Empty where there is no `/proc`.
 */
export function cpuTimes(pid = process.pid, times = new Map<number, number>()): Map<number, number> {
  try {
    // Behind the name in brackets come state and ten other fields, then user and system time, own and of ended children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const ms = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);
    times.set(pid, ms);
    for (const thread of readdirSync(`/proc/${pid}/task`))
      for (const [child] of readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').matchAll(/\d+/g))
        cpuTimes(Number(child), times);
  } catch {
    // It has ended since it was listed.
  }
  return times;
}

/** The CPU time in ms since the given times. What processes have used that nobody waited for, as for pages of a browser, is not there. */
export const cpuMsSince = (before: ReadonlyMap<number, number>): number =>
  [...cpuTimes()].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
