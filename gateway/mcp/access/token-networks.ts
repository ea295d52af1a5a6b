import type { AuditLog, AuditSource } from '../../../storage/users/audit-log.js';
import { clientName } from '../../../storage/users/client-name.js';
import type { PersonalTokenRepository } from '../../../storage/users/personal-tokens.js';
import { boundedCache } from '../../../storage/process/bounded-cache.js';

const mostRemembered = 20_000;

/**
 * Records when a personal access token is used from a network for the first time. The call does not wait for MongoDB, which
 * is asked only for a token and network that this gateway has not seen together.
 */
export class TokenNetworks {
  readonly #personalTokens: Pick<PersonalTokenRepository, 'addNetwork'>;
  readonly #audit: Pick<AuditLog, 'note'>;
  readonly #seen = boundedCache<true>(mostRemembered);
  readonly #underWay = new Set<Promise<void>>();

  constructor(personalTokens: Pick<PersonalTokenRepository, 'addNetwork'>, audit: Pick<AuditLog, 'note'>) {
    this.#personalTokens = personalTokens;
    this.#audit = audit;
  }

  /** Notes the use of a token, by its key, from a network. Never throws. */
  see(key: string, network: string, userAgent: string | undefined): void {
    const pair = `${key} ${network}`;
    if (this.#seen.has(pair)) return;
    this.#seen.set(pair, true);
    const work = this.#record(key, { address: network, client: clientName(userAgent) })
      .catch(() => void this.#seen.delete(pair))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** Resolves when all uses that were seen are noted. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #record(key: string, source: AuditSource): Promise<void> {
    const token = await this.#personalTokens.addNetwork(key, source.address);
    if (token) this.#audit.note('token_used_from_new_address', token.userId, source, { name: token.name });
  }
}
