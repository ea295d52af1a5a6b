import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import { collections, type CollectionName } from '../servers/open-collection.js';

/** Collections that no backup holds, and why. */
const leftOut: Partial<Record<CollectionName, string>> = {
  feeds: 'written again with the next prices',
  foreign_orders: 'seen again with the next comparison of an account',
  leases: 'held by processes that are gone after a restore',
  oauth_transactions: 'last ten minutes',
  sessions: 'a restore ends all sessions',
};

/** What a backup holds, in the order in which it is read: candles last, and after the series that say which there are. */
export const savedCollections: readonly CollectionName[] = [
  ...(Object.keys(collections) as CollectionName[]).filter(
    (name) => !(name in leftOut) && name !== 'candles',
  ),
  'candles',
];

/** The one version of the format that this release writes and reads. */
const format = 1;
const manifestFile = 'manifest.json';

/** One collection of a backup: `<name>.bson.gz` beside the manifest. */
export interface SavedCollection {
  name: CollectionName;
  documents: number;
  /** Of its documents in BSON, one after the other in the order of their ids, before compression. */
  sha256: string;
}

/** `snapshot`: all at one cluster time. `candles-later`: candles at a later one, all else at one. `stopped`: no process was alive. */
export const consistencies = ['snapshot', 'candles-later', 'stopped'] as const;

/** What a backup says of itself. */
export interface BackupManifest {
  format: typeof format;
  /** The release that made it. */
  version: string;
  /** When it was begun, in ISO 8601; writes acknowledged before are in it. */
  startedAt: string;
  /** How long it took, in ms. */
  ms: number;
  consistency: (typeof consistencies)[number];
  /** Seconds and increment of the cluster time, as `seconds.increment`; null without snapshots. */
  clusterTime: string | null;
  migrations: string[];
  /** Ids of the keys of SECRETS_KEY that sealed what is in it; the keys themselves are in no backup. */
  sealingKeys: string[];
  collections: SavedCollection[];
}

const schema = Joi.object<BackupManifest, true>({
  format: Joi.number<typeof format>().valid(format).required(),
  version: Joi.string().required(),
  startedAt: Joi.string().isoDate().required(),
  ms: Joi.number().required(),
  consistency: Joi.string<BackupManifest['consistency']>()
    .valid(...consistencies)
    .required(),
  clusterTime: Joi.string().allow(null).required(),
  migrations: Joi.array().items(Joi.string()).required(),
  sealingKeys: Joi.array().items(Joi.string()).required(),
  collections: Joi.array()
    .items(
      Joi.object<SavedCollection, true>({
        name: Joi.string<CollectionName>()
          .valid(...savedCollections)
          .required(),
        documents: Joi.number().integer().min(0).required(),
        sha256: Joi.string().hex().length(64).required(),
      }),
    )
    .unique('name')
    .required(),
});

export const manifestPath = (folder: string): string => join(folder, manifestFile);

/** The file of a collection; mongorestore reads it too. */
export const collectionPath = (folder: string, name: CollectionName): string =>
  join(folder, `${name}.bson.gz`);

export const newManifest = (facts: Omit<BackupManifest, 'format'>): BackupManifest => ({ format, ...facts });

/** The manifest of the backup in a folder. Throws `invalid_file`, which names the backups in the folder if it is not one itself. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(manifestPath(folder), 'utf8').catch(async () => {
    const inside = (await listBackups(folder)).map(({ name }) => `"${join(folder, name)}"`);
    const hint = inside.length === 0 ? '' : `; in it are ${inside.join(', ')}`;
    throw new AppError('invalid_file', `there is no backup in "${folder}": it has no ${manifestFile}${hint}`);
  });
  const checked = schema.validate(parsed(text));
  if (checked.error)
    throw new AppError('invalid_file', `"${manifestPath(folder)}" cannot be used: ${checked.error.message}`);
  return checked.value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The whole backups in a folder by name, the newest first; those that were cut off end in `.part` and are none. */
export async function listBackups(folder: string): Promise<{ name: string; manifest: BackupManifest }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((each) => each.isDirectory() && !each.name.endsWith('.part'))
    .map(({ name }) => name);
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(manifestPath(join(folder, name)), 'utf8').catch(() => '');
      const checked = schema.validate(parsed(text));
      return checked.error ? [] : [{ name, manifest: checked.value }];
    }),
  );
  return found.flat().sort((left, right) => (left.manifest.startedAt < right.manifest.startedAt ? 1 : -1));
}
