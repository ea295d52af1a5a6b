import { CommanderError, type Command } from 'commander';
import { errorToData } from '../../../compute/model/errors.js';
import { mapStorageError } from '../../../storage/index.js';
import { failStart } from '../../../storage/process/fail-start.js';

/** Runs the command that the process was called with, and ends the process: with code 0 when it is done, with 1 on an error
 * and where the command has set that code. */
export async function runAdminProgram(program: Command): Promise<never> {
  const args = process.argv.slice(2);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    process.exit();
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode);
    if (args.includes('--json')) console.log(errorAsJson(error));
    failStart(error);
  }
}

function errorAsJson(error: unknown): string {
  const { code, message } = errorToData(mapStorageError(error));
  return JSON.stringify({ error: { code, message } }, null, 2);
}
