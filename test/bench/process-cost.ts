import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;
const pageBytes = 4_096;

/** CPU time that a process has taken so far, all its threads together, in ms; NaN where the system does not say. */
export function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
  } catch {
    return NaN;
  }
}

/** Memory of a process that is not swapped out, in MB; NaN where the system does not say. */
export function residentMb(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / 2 ** 20;
  } catch {
    return NaN;
  }
}
