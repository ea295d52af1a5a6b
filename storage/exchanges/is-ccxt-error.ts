/** Whether an error is of the ccxt class of this name. ccxt's classes are loaded with the first client, so they are not imported here. */
export const isCcxtError = (error: unknown, name: string): boolean =>
  error instanceof Error && error.constructor.name === name;
