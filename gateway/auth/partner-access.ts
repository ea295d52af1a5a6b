import { createHash } from 'node:crypto';
import type { Log } from '../../storage/process/log.js';
import {
  useStoredEveryMs,
  type AdmittedPartner,
  type PartnerCredentials,
  type PartnerRepository,
} from '../../storage/users/partners.js';
import { boundedCache } from '../../storage/process/bounded-cache.js';

const mostRemembered = 10_000;

/** Recognises partners. Every request is looked up, so that a revoked key stops working at once. */
export class PartnerAccess {
  readonly #partners: PartnerRepository;
  readonly #log: Log;
  /** Digests of credentials that were accepted the last time, and when the use of their key was stored. */
  readonly #accepted = boundedCache<{ notedAt: number }>(mostRemembered);

  constructor(partners: PartnerRepository, log: Log) {
    this.#partners = partners;
    this.#log = log;
  }

  /** Whether these credentials were accepted the last time. If so, their look-up is not charged. */
  isPlausible(credentials: PartnerCredentials): boolean {
    return this.#accepted.has(digestOf(credentials));
  }

  /** The partner with that key; null if it may not call. */
  async find(credentials: PartnerCredentials, address: string): Promise<AdmittedPartner | null> {
    const admitted = await this.#partners.admit(credentials, address);
    const digest = digestOf(credentials);
    if (admitted) this.#noteUse(digest, credentials.key);
    else this.#accepted.delete(digest);
    return admitted;
  }

  /** Stores the time of use without delaying the answer. A lost write does no harm, because a later request stores it again. */
  #noteUse(digest: string, key: string): void {
    const now = Date.now();
    const { notedAt = 0 } = this.#accepted.get(digest) ?? {};
    if (now - notedAt < useStoredEveryMs) return;
    this.#accepted.set(digest, { notedAt: now });
    this.#partners.noteUse(key, now).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the last use of a key was not stored');
    });
  }
}

const digestOf = ({ key, secret }: PartnerCredentials): string =>
  createHash('sha256').update(`${key}\n${secret}`).digest('base64');
