import { readdirSync } from 'node:fs';

/** The folder of ccxt in which each exchange is a file of its own. */
export const ccxtFolder = (): URL => new URL('./src/', import.meta.resolve('ccxt'));

/** Every id that ccxt knows, in the order of the alphabet. Reads a folder: ccxt itself is not loaded. */
export function exchangeIds(): string[] {
  return readdirSync(ccxtFolder())
    .map((name) => /^([a-z0-9]+)\.js$/.exec(name)?.[1])
    .filter((id) => id !== undefined)
    .sort();
}
