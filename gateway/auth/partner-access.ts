import { createHash } from 'node:crypto';
import type { SecretBox } from '../../storage/accounts/secret-box.js';
import type { Log } from '../../storage/process/log.js';
import {
  useStoredEveryMs,
  type AdmittedPartner,
  type PartnerCredentials,
  type PartnerRepository,
  type SignedKey,
} from '../../storage/users/partners.js';
import { boundedCache } from '../../storage/process/bounded-cache.js';

const mostRemembered = 10_000;

/** Recognises partners. Every request is looked up, so that a revoked key stops working at once. */
export class PartnerAccess {
  readonly #partners: PartnerRepository;
  readonly #openBox: () => Promise<SecretBox>;
  readonly #log: Log;
  /** What was accepted the last time, when the use of its key was stored, and the secret of a key that has signed. */
  readonly #accepted = boundedCache<{ notedAt: number; secret: string | null }>(mostRemembered);

  constructor(partners: PartnerRepository, openBox: () => Promise<SecretBox>, log: Log) {
    this.#partners = partners;
    this.#openBox = openBox;
    this.#log = log;
  }

  /** Whether a request that was signed with that key has been accepted lately. */
  hasSigned = (key: string): boolean => this.#accepted.has(signedId(key));

  /** Whether this key and secret were accepted the last time. If so, their look-up is not charged. */
  isPlausible(shown: PartnerCredentials | SignedKey): boolean {
    const accepted = this.#accepted.get(idOf(shown));
    return accepted !== undefined && ('secret' in shown || shown.isSignedWith(accepted.secret));
  }

  /** The partner with that key; null if it may not call. */
  async find(shown: PartnerCredentials | SignedKey, address: string): Promise<AdmittedPartner | null> {
    let known: string | null = null as string | null;
    const admitted =
      'secret' in shown
        ? await this.#partners.admit(shown, address)
        : await this.#partners.admitSigned(
            { key: shown.key, isSignedWith: (secret) => shown.isSignedWith((known = secret)) },
            address,
            await this.#openBox(),
          );
    if (admitted) this.#noteUse(idOf(shown), shown.key, known);
    else if (this.isPlausible(shown)) this.#accepted.delete(idOf(shown));
    return admitted;
  }

  /** Stores the time of use without delaying the answer. A lost write does no harm, because a later request stores it again. */
  #noteUse(id: string, key: string, secret: string | null): void {
    const now = Date.now();
    const { notedAt = 0 } = this.#accepted.get(id) ?? {};
    if (now - notedAt < useStoredEveryMs) return;
    this.#accepted.set(id, { notedAt: now, secret });
    this.#partners.noteUse(key, now).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the last use of a key was not stored');
    });
  }
}

const idOf = (shown: PartnerCredentials | SignedKey): string =>
  'secret' in shown
    ? createHash('sha256').update(`${shown.key}\n${shown.secret}`).digest('base64')
    : signedId(shown.key);

const signedId = (key: string): string => `signed ${key}`;
