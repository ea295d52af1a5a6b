import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { childEnvironment } from './child-environment.js';

/** Whether the system has /proc (Linux). If not, `ps` is used. */
export const hasProcFolder = existsSync('/proc/self/stat');

/**
 * A text for the start time of the process, as the system gives it; undefined if no such process lives. The pid and this
 * text together identify a process: pids are reused, and after a reboot start times repeat, so the boot id is part of it.
 */
export function processStart(pid: number): string | undefined {
  return hasProcFolder ? startFromProc(pid) : startFromPs(pid);
}

/** Whether the process with this pid and start still lives. */
export function isLiving({ pid, processStart: start }: { pid: number; processStart: string }): boolean {
  return start !== '' && processStart(pid) === start;
}

function startFromProc(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, which may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (stat === '' || isEnded(state)) return undefined;
  return `${readText('/proc/sys/kernel/random/boot_id').trim()}:${fields[19]}`;
}

function startFromPs(pid: number): string | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: childEnvironment(),
  });
  const [state, ...start] = status === 0 ? stdout.trim().split(/\s+/) : [];
  return state === undefined || isEnded(state) ? undefined : start.join(' ');
}

/** A zombie has ended: it only waits for its parent to read its exit code. */
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
