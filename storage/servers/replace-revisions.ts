import type { Collection, Document, Filter } from 'mongodb';

/** A document, and the revision over which it is written. */
export interface Replacement<T extends Document> {
  document: T & { _id: string; revision: number };
  /** The revision that was read. */
  over: number;
}

/**
 * Replaces documents that are still at the revision that was read, each at its own, and answers how many there were. One update
 * of many costs half as much as one for each. Each document has to differ from what is stored.
 */
export async function replaceRevisions<T extends Document>(
  collection: Collection<T>,
  replacements: readonly Replacement<T>[],
): Promise<number> {
  const documents = replacements.map(({ document }) => document);
  const ids = documents.map(({ _id }) => _id);
  const place = { $indexOfArray: [{ $literal: ids }, '$_id'] };
  const wanted = { $arrayElemAt: [{ $literal: replacements.map(({ over }) => over) }, '$$place'] };
  const document = { $arrayElemAt: [{ $literal: documents }, '$$place'] };
  const replaced = { $cond: [{ $eq: ['$revision', wanted] }, document, '$$ROOT'] };
  const { modifiedCount } = await collection.updateMany({ _id: { $in: ids } } as unknown as Filter<T>, [
    { $replaceWith: { $let: { vars: { place }, in: replaced } } },
  ]);
  return modifiedCount;
}
