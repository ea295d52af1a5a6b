import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
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

interface RunningProgram {
  pid: number;
  processStart: string;
  command: string;
}

const serverPrograms = /redis-server|valkey-server|mongod|secantus/;

/** The options by which the servers are told their data folder. */
const folderOptions = ['--dir', '--dbpath', '--storage-path'];

/**
 * Ends servers that a killed holder left running on these data folders. They are recognised by the option with the data
 * folder in their command line, so no record is needed, and a backup of the folder goes on. Only the holder of the data
 * folder may call this. Throws `data_folder_in_use` for a server that cannot be ended.
 */
export async function endOrphans(folders: string[], report: (line: string) => void): Promise<void> {
  await Promise.all(
    orphansOf(folders).map(async (orphan) => {
      report(`ending a server left by a killed process (pid ${orphan.pid})`);
      if (await endsOn('SIGTERM', orphan)) return;
      if (await endsOn('SIGKILL', orphan)) return;
      throw new AppError(
        'data_folder_in_use',
        `process ${orphan.pid} still uses the data and cannot be ended`,
      );
    }),
  );
}

function orphansOf(folders: string[]): RunningProgram[] {
  return (hasProcFolder ? commandsFromProc() : commandsFromPs()).flatMap(({ pid, command }) => {
    if (!serverPrograms.test(command)) return [];
    if (!folders.some((folder) => isServerOn(folder, command))) return [];
    const start = processStart(pid);
    return start === undefined ? [] : [{ pid, command, processStart: start }];
  });
}

const isServerOn = (folder: string, command: string): boolean =>
  folderOptions.some((option) => command.includes(`\0${option}\0${folder}\0`));

async function endsOn(signal: 'SIGTERM' | 'SIGKILL', orphan: RunningProgram): Promise<boolean> {
  try {
    process.kill(orphan.pid, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return true;
    throw new AppError('data_folder_in_use', `process ${orphan.pid} of another user still uses the data`, {
      cause,
    });
  }
  const limit = Date.now() + 5_000;
  while (isLiving(orphan) && Date.now() < limit) await delay(20);
  return !isLiving(orphan);
}

/** The arguments of all processes that this user may see, each between two NUL characters. */
function commandsFromProc(): { pid: number; command: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => {
    try {
      return { pid: Number(pid), command: `\0${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}\0` };
    } catch {
      return { pid: Number(pid), command: '' };
    }
  });
}

/** The spaces in a line of `ps` that surely separate arguments: those before an option, and between an option and its folder. */
const argumentEdges = new RegExp(` (?=-)|(?<=${folderOptions.join('|')}) `, 'g');

function commandsFromPs(): { pid: number; command: string }[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    env: childEnvironment(),
  }).split('\n');
  return lines.map((line) => {
    const [, pid = '0', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return {
      pid: Number(pid),
      command: command.replace(argumentEdges, '\0') + '\0',
    };
  });
}
