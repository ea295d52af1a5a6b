import { BSON, type Db } from 'mongodb';
import type { BackupManifest } from './manifest.js';
import { readCollection, toDocument } from './read-backup.js';

/** What the restore itself writes. */
const written = new Set(['halts', 'migrations']);

/** The first document in which a restored database differs from the backup, in words; null if all are equal. */
export async function firstDifference(
  db: Db,
  folder: string,
  { collections }: BackupManifest,
): Promise<string | null> {
  for (const saved of collections) {
    if (written.has(saved.name)) continue;
    const stored = db.collection(saved.name).find({}, { raw: true }).sort({ _id: 1 });
    try {
      for await (const raw of readCollection(folder, saved)) {
        const expected = toDocument(raw);
        const found = (await stored.next()) as unknown as Buffer | null;
        // Written again by the same rules, because keys that look like whole numbers come first in JavaScript.
        if (
          found === null ||
          Buffer.compare(BSON.serialize(expected), BSON.serialize(toDocument(found))) !== 0
        )
          return `"${String(expected._id)}" of ${saved.name} differs`;
      }
      if ((await stored.next()) !== null) return `${saved.name} has documents that are not in the backup`;
    } finally {
      await stored.close();
    }
  }
  return null;
}
