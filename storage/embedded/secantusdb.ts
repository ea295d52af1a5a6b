import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../compute/model/errors.js';
import { isMongodbReady } from './mongodb-ready.js';
import {
  findPython,
  installPackage,
  packageFolder,
  packageVersion,
  type PythonPackage,
} from './python-package.js';
import type { Report } from '../process/terminal-report.js';
import { reportGrowth } from './report-growth.js';
import type { ServerProgram } from './server-program.js';

/** A server with the MongoDB protocol on the WiredTiger library. A range, because PyPI drops its old versions. */
const secantusdb: PythonPackage = { name: 'secantusdb', range: '>=0.7.0b3,<0.8', dependencies: true };

const startScript = 'import sys; from secantus.cli import main; sys.exit(main())';

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
  await mkdir(folder, { recursive: true });
  // Without this file it would read its configuration from the home folder.
  await writeFile(config, '');
  return {
    kind: 'mongodb',
    title: `SecantusDB ${await packageVersion(target, secantusdb)}`,
    origin: `PyPI (${target})`,
    command: python.program,
    args: (port) => ['-s', '-c', startScript, '--config', config, ...secantusdbArguments(port, folder)],
    env: { ...process.env, PYTHONPATH: target, PYTHONHOME: undefined, PYTHONDONTWRITEBYTECODE: '1' },
    folder,
    isReady: isMongodbReady,
  };
}

function secantusdbArguments(port: number, folder: string): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--storage-path', folder],
    // Acknowledged writes survive a power loss. Measured: it costs little at this service's rate of writes.
    '--sync-on-commit',
    ...['--log-level', 'ERROR'],
  ];
}
