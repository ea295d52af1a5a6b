/** Whether an error is of this class of ccxt, whose classes are loaded with the first client only. */
export const isCcxtError = (error: unknown, name: string): boolean =>
  error instanceof Error && error.constructor.name === name;
