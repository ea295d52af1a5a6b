import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { childEnvironment } from './child-environment.js';
import { hasProcFolder, isLiving, processStart } from './living-process.js';

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
