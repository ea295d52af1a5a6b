import { createHash } from 'node:crypto';
import { readFileSync, constants } from 'node:fs';
import { mkdir, readdir, access, stat } from 'node:fs/promises';
import { join, delimiter, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../compute/model/errors.js';
import { childEnvironment } from './child-environment.js';
import { installFolder } from './install-folder.js';
import { asset } from '../process/asset.js';
import { runProgram } from './run-program.js';

export interface PythonPackage {
  name: string;
  /** A file of requirements in pip's format: the package, and its dependencies if it needs them, with their hashes. */
  pins: string;
}

/** A package that is pinned in the source folder storage/embedded/python-pins. */
export const pinnedPackage = (name: string): PythonPackage => ({
  name,
  pins: fileURLToPath(asset(`storage/embedded/python-pins/${name}.txt`)),
});

export interface Python {
  program: string;
  version: string;
}

/** The Python of this machine. Throws `server_not_found` if there is none or it is older than 3.10. */
export async function findPython(): Promise<Python> {
  const found = await programOnPath('python3');
  if (found === undefined) throw new AppError('server_not_found', 'no python3 on PATH');
  // `python3` may be a wrapper script (pyenv); its target is used, because the wrapper would slow down every start.
  const question = 'import sys; print(sys.executable); print("%d.%d" % sys.version_info[:2])';
  const [program, version] = (await runProgram(found, ['-c', question], { timeoutMs: 20_000 })).split('\n');
  const [major, minor] = version.split('.').map(Number);
  if (major !== 3 || minor < 10) {
    throw new AppError('server_not_found', `expected Python 3.10 or later, found ${version} at "${found}"`);
  }
  return { program, version };
}

/**
 * The folder of the package: one for each Python version, because compiled packages work with one version only, and for each
 * content of the pins, so that changed pins are installed anew.
 */
export function packageFolder(
  serversDir: string,
  { name, pins }: PythonPackage,
  { version }: Python,
): string {
  const digest = createHash('sha256').update(readFileSync(pins)).digest('hex').slice(0, 8);
  return join(serversDir, `python-${version}`, `${name}-${digest}`);
}

/**
 * Installs the package into its folder, unless it is installed. Throws `server_not_found` with the reason, also for a file
 * whose hash is not among the pinned ones.
 */
export async function installPackage(folder: string, { pins }: PythonPackage, python: Python): Promise<void> {
  await installFolder(folder, async (draft) => {
    const options = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-warn-script-location'];
    // Wheels only: a build from source takes many minutes and needs a compiler.
    const pinned = ['--only-binary=:all:', '--no-deps', '--require-hashes', '--requirement', pins];
    const args = ['-m', 'pip', 'install', '--target', draft, ...options, ...pinned];
    // A user's pip settings may contain --user, which conflicts with --target.
    const env = { ...childEnvironment('PIP_'), PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', TMPDIR: draft };
    // Downloads go to the draft too, so that its size tells the progress.
    await mkdir(draft, { recursive: true });
    await runProgram(python.program, args, { env, timeoutMs: 15 * 60_000 }).catch(explainHash);
  });
}

/** For a file with a wrong hash, the last line that pip prints is only that hash; this error says what it means. */
function explainHash(error: unknown): never {
  const [, found] = /: Got +([0-9a-f]{64})$/.exec((error as Error).message) ?? [];
  if (found === undefined) throw error;
  const message = `a downloaded file is not one of the pinned ones: its SHA-256 is ${found}`;
  throw new AppError('server_not_found', message, { cause: error });
}

/** The version of an installed package, from the name of its dist-info folder. */
export async function packageVersion(folder: string, { name }: PythonPackage): Promise<string> {
  const entries = await readdir(folder);
  const info = entries.find((entry) => entry.startsWith(`${name}-`) && entry.endsWith('.dist-info'));
  return info?.slice(name.length + 1, -'.dist-info'.length) ?? 'of unknown version';
}

/** The absolute path of a program on PATH; undefined if there is none. */
export async function programOnPath(name: string): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const file = resolve(folder, name);
    if (await isProgram(file)) return file;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
