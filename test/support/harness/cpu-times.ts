import { readdirSync, readFileSync } from 'node:fs';

const tickMs = 10;

/** CPU time in ms of a process: its own, and that of those of its children that have ended. */
export interface CpuTime {
  ownMs: number;
  endedMs: number;
}

/** The CPU times by process id of a process, of what it has started, and so on. Empty where there is no `/proc`. */
export function cpuTimes(pid = process.pid, times = new Map<number, CpuTime>()): Map<number, CpuTime> {
  try {
    // Behind the name in brackets come state and ten other fields, then user and system time, own and of ended children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const msAt = (index: number) => (Number(fields[index]) + Number(fields[index + 1])) * tickMs;
    times.set(pid, { ownMs: msAt(11), endedMs: msAt(13) });
    for (const thread of readdirSync(`/proc/${pid}/task`))
      for (const [child] of readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').matchAll(/\d+/g))
        cpuTimes(Number(child), times);
  } catch {
    // It has ended since it was listed.
  }
  return times;
}

/** The CPU time in ms since the given times. What processes have used that nobody waited for, as for pages of a browser, is not there. */
export function cpuMsSince(before: ReadonlyMap<number, CpuTime>): number {
  const now = cpuTimes();
  const sum = (part: keyof CpuTime) =>
    [...now].reduce((total, [pid, time]) => total + time[part] - (before.get(pid)?.[part] ?? 0), 0);
  // A process that has ended since is with its parent, with all that it had used before as well.
  const ended = [...before].filter(([pid]) => !now.has(pid));
  const known = ended.reduce((total, [, { ownMs, endedMs }]) => total + ownMs + endedMs, 0);
  return sum('ownMs') + Math.max(0, sum('endedMs') - known);
}
