import { AppError } from '../../compute/model/errors.js';
import { mapStorageError } from '../index.js';

/** Prints an expected error as one sentence and any other with its stack, and exits with code 1. */
export function failStart(caught: unknown): never {
  const error = mapStorageError(caught);
  console.error(error instanceof AppError ? `error: ${error.message}` : error);
  process.exit(1);
}
