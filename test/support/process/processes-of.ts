import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  pid: number;
  command: string;
}

/** All processes that were started for a folder, by their command line or their environment, but for this one. */
export function processesOf(folder: string): RunningProcess[] {
  const read = (pid: number, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => (read(pid, 'cmdline') + read(pid, 'environ')).includes(folder))
    .map((pid) => ({ pid, command: read(pid, 'cmdline').trim() }));
}
