import type { Collection, Filter, Sort } from 'mongodb';

/**
 * Ids of users that own documents of a collection, each once, in order, after `afterId`; empty at the end. Reads by the index
 * on the user, at most `limit` documents.
 */
export async function ownersAfter<Document extends { userId: string }>(
  collection: Collection<Document>,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await collection
    .find({ userId: { $gt: afterId } } as Filter<Document>, { projection: { _id: 0, userId: 1 } })
    .sort({ userId: 1 } satisfies Sort)
    .limit(limit)
    .toArray();
  return [...new Set(rows.map(({ userId }) => userId))];
}
