import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  pid: number;
  command: string;
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** All processes that were started for a folder, by their command line or their environment, but for this one. */
export function processesOf(folder: string): RunningProcess[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => (read(pid, 'cmdline') + read(pid, 'environ')).includes(folder))
    .map((pid) => ({ pid, command: read(pid, 'cmdline').trim() }));
}

/** Hundredths of a second, as Linux counts the time of processes. */
const ticks = 100;

/** How long these processes, and those of their children that have ended, have computed; however busy the machine is. */
export function computedSeconds(processes: readonly RunningProcess[]): number {
  const each = processes.map(({ pid }) => {
    // From the 14th field on: in user mode, in the kernel, and the same of its children.
    const fields = read(pid, 'stat').split(') ').at(-1)!.split(' ').slice(11, 15);
    return fields.reduce((sum, field) => sum + Number(field), 0) / ticks;
  });
  return each.reduce((sum, seconds) => sum + seconds, 0);
}
