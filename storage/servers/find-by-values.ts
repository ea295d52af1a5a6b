import pLimit from 'p-limit';
import { inChunks } from '../../compute/model/in-chunks.js';
import type { Collection, Document, Filter, FindOptions, WithId } from 'mongodb';

/** Values in one query: the time that the embedded MongoDB takes for `$in` grows with the square of their number. */
const mostAtOnce = 50;

/** How many queries of one call run at the same time. The connections are shared with all other requests. */
const mostQueries = 8;

/** The values in portions that one query or update can name. */
export const portions = <Value>(all: readonly Value[]): Value[][] => inChunks(all, mostAtOnce);

/** The documents whose field has one of many values, in no order. */
export async function findByValues<T extends Document>(
  collection: Collection<T>,
  field: (keyof T & string) | `${keyof T & string}.${string}`,
  values: readonly string[],
  options: FindOptions = {},
): Promise<WithId<T>[]> {
  const find = (some: string[]) =>
    collection.find({ [field]: { $in: some } } as Filter<T>, options).toArray();
  const inTurn = pLimit(mostQueries);
  return (await inTurn.map(portions([...new Set(values)]), find)).flat();
}
