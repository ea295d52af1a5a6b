import type { Document } from 'mongodb';
import { keyContext, type ConnectionDocument } from '../accounts/connections.js';
import type { SealedSecret } from '../accounts/secret-box.js';
import type { CollectionName } from '../servers/open-collection.js';
import { partnerKeyContext } from '../users/partners.js';

/** The collections whose documents hold sealed secrets. */
export const holdsSealedKeys: ReadonlySet<CollectionName> = new Set(['connections', 'partners']);

/** The secrets that a stored document holds sealed, each with the context that it is bound to. */
export function sealedKeys(
  collection: CollectionName,
  document: Document,
): { sealed: SealedSecret; context: string }[] {
  if (collection === 'connections') {
    const { _id: id, userId, key: sealed } = document as ConnectionDocument;
    return [{ sealed, context: keyContext({ id, userId }) }];
  }
  if (collection !== 'partners') return [];
  const keys = document.keys as { key: string; sealedSecret?: SealedSecret }[];
  return keys.flatMap(({ key, sealedSecret }) =>
    sealedSecret ? [{ sealed: sealedSecret, context: partnerKeyContext(key) }] : [],
  );
}
