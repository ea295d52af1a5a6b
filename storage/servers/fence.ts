import type { Collection } from 'mongodb';
import { leaseLost } from './lease.js';
import { isDuplicate } from './mongo.js';

/** A document that is written under a lease, with the fencing token of its last writer. */
export interface Fenced {
  fence?: number;
}

/**
 * The part of a filter that excludes documents of a later holder of the lease. In an upsert such a document makes MongoDB
 * insert a second one, which `fencedWrite` turns into `lease_lost`.
 */
export const notFenced = (token: number) => ({ fence: { $not: { $gt: token } } });

/** Runs an upsert whose filter contains `notFenced`. `name`: what is written, for the message of `lease_lost`. */
export async function fencedWrite<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isDuplicate(error) ? leaseLost(name) : error;
  }
}

/** Replaces or inserts a document under a lease. Throws `lease_lost` if a later holder has written it. */
export async function replaceFenced<T extends { _id: string }>(
  collection: Collection<T>,
  document: T,
  token: number,
): Promise<void> {
  const { _id } = document;
  const filter = { _id, ...notFenced(token) };
  await fencedWrite(_id, () =>
    collection.replaceOne(filter as never, { ...document, fence: token } as never, { upsert: true }),
  );
}

/** Makes documents refuse writes of earlier holders of the lease, before the present holder reads them. */
export async function raiseFence(
  collection: Collection<{ _id: string } & Fenced>,
  ids: readonly string[],
  token: number,
): Promise<void> {
  await collection.updateMany({ _id: { $in: [...ids] } }, { $max: { fence: token } });
}
