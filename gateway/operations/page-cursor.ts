import Joi from 'joi';
import { fieldError } from '../../compute/model/errors.js';

/** Where a page of a list starts, and how long it is. */
export interface PageInput {
  limit: number;
  cursor?: string;
}

/** The fields of a query that ask for a page of at most so many entries. */
export const pageOf = (most: number, defaultLimit: number) => ({
  limit: Joi.number()
    .integer()
    .min(1)
    .max(most)
    .default(defaultLimit)
    .description('most entries of the answer'),
  cursor: Joi.string().max(200).description('the next cursor of the page before'),
});

export const pageFields = pageOf(100, 20);

export const writeCursor = (place: string | null): string | null =>
  place === null ? null : Buffer.from(place).toString('base64url');

/** The place that a cursor names. Throws `invalid_input` for text that is no cursor of such places. */
export function readCursor(cursor: string | undefined, pattern: RegExp): string | undefined {
  if (cursor === undefined) return undefined;
  const place = Buffer.from(cursor, 'base64url').toString('latin1');
  if (pattern.test(place)) return place;
  const message = '"cursor" must be the next cursor of an earlier answer to the same question';
  throw fieldError('cursor', message);
}
