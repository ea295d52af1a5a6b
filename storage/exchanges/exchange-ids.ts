import { readdirSync } from 'node:fs';

/** The folder of ccxt with one file per exchange. */
export const ccxtFolder = (): URL => new URL('./src/', import.meta.resolve('ccxt'));

/** Every exchange id of ccxt, in alphabetical order. Reads the folder; ccxt itself is not loaded. */
export function exchangeIds(): string[] {
  return readdirSync(ccxtFolder())
    .map((name) => /^([a-z0-9]+)\.js$/.exec(name)?.[1])
    .filter((id) => id !== undefined)
    .sort();
}
