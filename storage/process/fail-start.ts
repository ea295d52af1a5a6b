import { printFailure } from './print-failure.js';

/** Prints the error and exits with code 1. */
export function failStart(error: unknown): never {
  printFailure(error);
  process.exit(1);
}
