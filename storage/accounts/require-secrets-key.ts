import type { Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import type { Settings } from '../process/settings.js';
import { openMongo } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import { openSecretBox } from './open-secret-box.js';

/** Where sealed secrets are stored, with the field that names the key of each. */
const sealedIn = { connections: 'key.keyId', partners: 'keys.sealedSecret.keyId' } as const;

/**
 * Throws `secret_unreadable` where secrets are stored and SECRETS_KEY opens none of a kind: it is another key. Single ones that it
 * does not open are told when they are used.
 */
export async function requireSecretsKey(
  settings: Pick<Settings, 'SECRETS_KEY' | 'DATA_DIR'>,
  mongodbUrl: string,
): Promise<void> {
  const { db, close } = openMongo(mongodbUrl, { timeoutMs: 5_000 });
  try {
    for (const [collection, field] of Object.entries(sealedIn))
      await requireOneKnown(db, collection as keyof typeof sealedIn, field, settings);
  } finally {
    await close();
  }
}

async function requireOneKnown(
  db: Db,
  collection: keyof typeof sealedIn,
  field: string,
  settings: Pick<Settings, 'SECRETS_KEY' | 'DATA_DIR'>,
): Promise<void> {
  const stored = openCollection(db, collection);
  const sealed = await stored.findOne({ [field]: { $exists: true } }, { projection: { [field]: 1 } });
  // Before the box is opened, which makes a key where there is none.
  if (sealed === null) return;
  const { keyIds } = await openSecretBox(settings);
  if ((await stored.findOne({ [field]: { $in: keyIds } }, { projection: { _id: 1 } })) !== null) return;
  const [, other] = /"keyId":"(\w+)"/.exec(JSON.stringify(sealed)) ?? [];
  throw new AppError(
    'secret_unreadable',
    `SECRETS_KEY opens none of the secrets that are stored in ${collection}: they were sealed with another key, ` +
      `such as ${other}, and this one is ${keyIds.join(', ')}; name that key in SECRETS_KEY`,
  );
}
