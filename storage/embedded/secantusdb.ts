import { existsSync } from 'node:fs';
import { writeFile, link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../compute/model/errors.js';
import { childEnvironment } from './child-environment.js';
import { embeddedMongodbUrl, isMongodbReady } from './mongodb-ready.js';
import { preparePrivateFolder } from './private-folder.js';
import {
  findPython,
  installPackage,
  packageFolder,
  packageVersion,
  pinnedPackage,
} from './python-package.js';
import { secantusdbProgram } from './secantusdb-program.js';
import type { Report } from '../process/terminal-report.js';
import { reportGrowth } from './report-growth.js';
import { serverOptions, type ServerProgram } from './server-program.js';
import { randomBytes, randomUUID } from 'node:crypto';

/** The file with the password of the embedded MongoDB whose data are in `folder`, beside it. Only its owner can read it. */
export const mongodbPasswordFile = (folder: string): string => `${folder}-password`;

/** A password of 256 random bits that needs no encoding in a URL. */
export const newMongodbPassword = (): string => randomBytes(32).toString('base64url');

/** The stored password; undefined if none is stored. */
export async function readMongodbPassword(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** Stores the password, complete or not at all. Does nothing if one is stored. */
export async function storeMongodbPassword(file: string, password: string): Promise<void> {
  const draft = `${file}-${randomUUID()}`;
  try {
    await writeFile(draft, `${password}\n`, { mode: 0o600 });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** A server with the MongoDB protocol on the WiredTiger library. */
const secantusdb = pinnedPackage('secantusdb');

/** SecantusDB with its data in `folder`. Throws `server_not_found` if it is not installed and may not or cannot be. */
export async function findSecantusdb(
  folder: string,
  serversDir: string,
  install: { allowed: boolean; report: Report },
): Promise<ServerProgram> {
  const python = await findPython();
  const target = packageFolder(serversDir, secantusdb, python);
  if (!existsSync(target)) {
    if (!install.allowed) throw new AppError('server_not_found', 'not installed yet');
    install.report('installing the MongoDB-compatible SecantusDB from PyPI (about 140 MB, once) ...');
    const work = { of: 'installing SecantusDB', megabytes: 170, report: install.report };
    await reportGrowth(target, work, () => installPackage(target, secantusdb, python));
  }
  const config = join(folder, 'secantusd.toml');
  await preparePrivateFolder(folder);
  // Without this file it would read its configuration from the home folder.
  await writeFile(config, '', { mode: 0o600 });
  const passwordFile = mongodbPasswordFile(folder);
  const password = await secantusdbPassword(passwordFile);
  const url = (port: number) => embeddedMongodbUrl(port, password);
  return {
    kind: 'mongodb',
    title: `SecantusDB ${await packageVersion(target, secantusdb)}`,
    origin: `PyPI (${target})`,
    command: python.program,
    args: (port) => [
      '-s',
      '-c',
      secantusdbProgram,
      passwordFile,
      '--config',
      config,
      ...secantusdbArguments(port, folder),
    ],
    url,
    env: { ...childEnvironment(), PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1' },
    folder,
    isReady: (port, pid) => isMongodbReady(url(port), port, pid),
  };
}

function secantusdbArguments(port: number, folder: string): string[] {
  return [
    ...serverOptions({
      host: '127.0.0.1',
      port: String(port),
      'storage-path': folder,
      'log-level': 'ERROR',
    }),
    '--auth',
    // Acknowledged writes survive a power loss. Measured: it costs little at this service's rate of writes.
    '--sync-on-commit',
  ];
}

/** The password of the service's user, from `file`; stored there with the first call. */
async function secantusdbPassword(file: string): Promise<string> {
  if ((await readMongodbPassword(file)) === undefined) await storeMongodbPassword(file, newMongodbPassword());
  return (await readMongodbPassword(file))!;
}
