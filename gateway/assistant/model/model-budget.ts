import { AppError } from '../../../compute/model/errors.js';
import type { TokenBudget, TokenUseRepository } from '../../../storage/conversations/token-use.js';
import type { Settings } from '../../../storage/process/settings.js';
import { networkOf } from '../../../storage/users/client-network.js';
import type { Asker } from '../assistant.js';

/** Tokens that are reserved at a time: about one reply with the list of tools. */
const reservedTokens = 20_000;

type LimitSettings = Pick<
  Settings,
  | 'ASSISTANT_TOKENS_GUEST'
  | 'ASSISTANT_TOKENS_FREE'
  | 'ASSISTANT_TOKENS_PLUS'
  | 'ASSISTANT_TOKENS_PRO'
  | 'ASSISTANT_TOKENS_ALL'
>;

/** The budgets of one question: that of the user or guest network, and that of the whole service. */
export function budgetsOf(
  settings: LimitSettings,
  { user, address }: Pick<Asker, 'user' | 'address'>,
): TokenBudget[] {
  const { ASSISTANT_TOKENS_FREE: free, ASSISTANT_TOKENS_PLUS: plus, ASSISTANT_TOKENS_PRO: pro } = settings;
  const own = user
    ? { key: `user:${user.userId}`, userId: user.userId, limit: { free, plus, pro }[user.plan] }
    : { key: `network:${networkOf(address)}`, limit: settings.ASSISTANT_TOKENS_GUEST };
  return [own, { key: 'all', limit: settings.ASSISTANT_TOKENS_ALL }];
}

/** The tokens of one question. They are reserved before use and settled at the end. The last reply may exceed the reservation. */
export class ModelBudget {
  readonly #use: TokenUseRepository;
  readonly #budgets: readonly TokenBudget[];
  readonly #reserved = new Map<string, number>();
  readonly #startedAt = Date.now();
  #used = 0;

  constructor(use: TokenUseRepository, budgets: readonly TokenBudget[]) {
    this.#use = use;
    this.#budgets = budgets;
  }

  /** Reserves tokens for one more reply. Throws `model_failed` if a budget of the month is used up. */
  async require(): Promise<void> {
    for (const budget of this.#budgets) {
      const reserved = this.#reserved.get(budget.key) ?? 0;
      if (this.#used < reserved) continue;
      const wanted = Math.min(reservedTokens, budget.limit);
      if (wanted === 0 || !(await this.#use.reserve(budget, wanted, this.#startedAt)))
        throw new AppError('model_failed', 'the tokens of this month are used up');
      this.#reserved.set(budget.key, reserved + wanted);
    }
  }

  add(tokens: number): void {
    this.#used += tokens;
  }

  /** Replaces the reserved tokens by those that were used. */
  async settle(): Promise<void> {
    for (const [key, reserved] of this.#reserved)
      await this.#use.settle({ key }, this.#used - reserved, this.#startedAt);
  }
}
