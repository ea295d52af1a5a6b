import { CommanderError, type Command } from 'commander';
import { errorToData } from '../../../compute/model/errors.js';
import { mapStorageError } from '../../../storage/index.js';
import { printFailure } from '../../../storage/process/fail-start.js';

/**
 * Runs a command, prints what it answers or how it failed, and answers the exit code of the process: 0 when it is done, 1 on
 * an error and where the command has set that code.
 */
export async function runAdminProgram(program: Command, args: readonly string[]): Promise<number> {
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (args.includes('--json')) console.log(errorAsJson(error));
    printFailure(error);
    return 1;
  }
}

function errorAsJson(error: unknown): string {
  const { code, message } = errorToData(mapStorageError(error));
  return JSON.stringify({ error: { code, message } }, null, 2);
}
