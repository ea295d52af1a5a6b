import { AppError } from '../../compute/model/errors.js';
import { mapStorageError } from '../index.js';

/** Prints the error and exits with code 1. */
export function failStart(error: unknown): never {
  printFailure(error);
  process.exit(1);
}

/** Prints an expected error as one sentence and any other with its stack. */
export function printFailure(caught: unknown): void {
  const error = mapStorageError(caught);
  console.error(error instanceof AppError ? `error: ${error.message}` : error);
}
