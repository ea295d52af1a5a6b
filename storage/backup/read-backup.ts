import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BSON, type Document } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import type { SecretBox, SealedSecret } from '../accounts/secret-box.js';
import { collectionPath, readManifest, type BackupManifest, type SavedCollection } from './manifest.js';
import { keyContext, type ConnectionDocument } from '../accounts/connections.js';
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

/** MongoDB's largest document, with room for what it adds inside. */
const maxDocumentBytes = 16 * 1024 * 1024 + 16 * 1024;

/** The documents of a collection of a backup, as BSON, in the order of their ids. Throws `invalid_file` for a broken file. */
export async function* readCollection(
  folder: string,
  { name, documents, sha256 }: SavedCollection,
): AsyncGenerator<Buffer> {
  const path = collectionPath(folder, name);
  const broken = (why: string) => new AppError('invalid_file', `"${path}" is broken: ${why}`);
  const hash = createHash('sha256');
  let read = 0;
  let rest: Buffer = Buffer.alloc(0);
  const file = createReadStream(path);
  const unzipped = createGunzip();
  const copying = pipeline(file, unzipped).catch(() => undefined);
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      while (rest.length - at >= 4) {
        const size = rest.readInt32LE(at);
        if (size < 5 || size > maxDocumentBytes)
          throw broken(`document ${read + 1} has a length of ${size} bytes`);
        if (rest.length - at < size) break;
        const document = rest.subarray(at, at + size);
        hash.update(document);
        at += size;
        read++;
        yield document;
      }
      rest = rest.subarray(at);
    }
  } catch (error) {
    throw error instanceof AppError ? error : broken((error as Error).message);
  } finally {
    file.destroy();
    unzipped.destroy();
    await copying;
  }
  if (rest.length > 0) throw broken('it ends within a document');
  if (read !== documents) throw broken(`it has ${read} documents, expected ${documents}`);
  if (hash.digest('hex') !== sha256) throw broken('its SHA-256 is not that of the manifest');
}

/** The values as stored: numbers keep their BSON types, so that a document is written back byte for byte. */
export const toDocument = (raw: Buffer): Document =>
  BSON.deserialize(raw, {
    promoteValues: false,
    promoteLongs: false,
    promoteBuffers: false,
    bsonRegExp: true,
  });

/**
 * Reads all of a backup: whether each file is whole, and, with a box, whether it opens every sealed key. Answers the manifest.
 * Throws `invalid_file` for the first broken file, `secret_unreadable` with the ids of the keys that SECRETS_KEY lacks.
 */
export async function verifyBackup(folder: string, box?: SecretBox): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  const missing = new Map<string, number>();
  for (const collection of manifest.collections)
    for await (const raw of readCollection(folder, collection)) {
      if (!box || !holdsSealedKeys.has(collection.name)) continue;
      for (const { sealed, context } of sealedKeys(collection.name, BSON.deserialize(raw)))
        if (!opens(box, sealed, context)) missing.set(sealed.keyId, (missing.get(sealed.keyId) ?? 0) + 1);
    }
  if (missing.size === 0) return manifest;
  const ids = [...missing].map(([id, count]) => `${id} (${count} secrets)`).join(', ');
  throw new AppError(
    'secret_unreadable',
    `SECRETS_KEY does not open what is sealed with key ${ids}; name that key in it as well`,
  );
}

function opens(box: SecretBox, sealed: Parameters<SecretBox['open']>[0], context: string): boolean {
  try {
    box.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}
