import { roundFigures } from './round-figures.js';

export type ResultHead<Result> = Result extends object
  ? {
      [
        Name in keyof Result as NonNullable<Result[Name]> extends readonly object[] ? never : Name
      ]: Result[Name];
    }
  : Result;

/** A line end between the members of an object is white space in JSON; in a text it would be escaped. */
const headEnd = ',\n';

const isLong = (value: unknown): boolean => Array.isArray(value) && typeof value[0] === 'object';

/**
 * A result with single figures and texts as JSON, once and for all: figures rounded for clients, long lists at the end, after the only line end. So a gateway
 * passes it on as it is, and reads the rest of it without parsing the lists.
 */
export function jsonOfResult(result: object): string {
  const all = Object.entries(roundFigures(result));
  const head = JSON.stringify(Object.fromEntries(all.filter(([, value]) => !isLong(value))));
  const long = JSON.stringify(Object.fromEntries(all.filter(([, value]) => isLong(value))));
  if (long === '{}') return head;
  return head === '{}' ? long : head.slice(0, -1) + headEnd + long.slice(1);
}

export const isRoundedText = (text: string): boolean => text.includes(headEnd);

/** What a result has before its long lists; all of it if no thread has put them last. */
export function parseHead<Result>(text: string): ResultHead<Result> {
  const end = text.indexOf(headEnd);
  return JSON.parse(end === -1 ? text : `${text.slice(0, end)}}`) as ResultHead<Result>;
}
