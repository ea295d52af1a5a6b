import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether the system shows its processes as files (Linux); elsewhere `ps` is asked. */
export const hasProcFolder = existsSync('/proc/self/stat');

/**
 * When the process started, in the words of the system; undefined when there is no such living process.
 * A pid and this word together name one process for good: pids are used again, and after a reboot so are start times,
 * hence the id of the boot is part of the word.
 */
export function processStart(pid: number): string | undefined {
  return hasProcFolder ? startFromProc(pid) : startFromPs(pid);
}

/** Whether the very process that had this pid and start still lives. */
export function isLiving({ pid, processStart: start }: { pid: number; processStart: string }): boolean {
  return start !== '' && processStart(pid) === start;
}

function startFromProc(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (stat === '' || isEnded(state)) return undefined;
  return `${readText('/proc/sys/kernel/random/boot_id').trim()}:${fields[19]}`;
}

function startFromPs(pid: number): string | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [state, ...start] = status === 0 ? stdout.trim().split(/\s+/) : [];
  return state === undefined || isEnded(state) ? undefined : start.join(' ');
}

/** A zombie holds nothing any more: it only waits for its parent to read its exit code. */
function isEnded(state: string): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
