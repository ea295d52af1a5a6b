import { AppError } from '../../compute/model/errors.js';
import { runProgram } from './run-program.js';

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
