import { admitClaim, type Claim } from '../../../compute/ledger/admit-claim.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { percentOf } from '../../../compute/model/pair-rules.js';
import type { Subscription } from '../../../storage/signals/subscription.js';

/** The facts that limit an entry order of an execution. Amounts are in quote units. */
export interface EntryScene {
  executionId: string;
  subscription: Pick<
    Subscription,
    'investPercent' | 'maxDailyLoss' | 'maxExposure' | 'maxOpenSignals' | 'maxTotalExposure'
  >;
  /** Claims of the running executions of the subscription. */
  counts: readonly Claim[];
  /** Claims of the user's executions on the same account of the same exchange in the same quote asset. */
  values: readonly Claim[];
  /** The user's free balance of the quote asset on the account; null if it cannot be read: an order that it limits waits. */
  free: Decimal | null;
  /** The user's loss there since 00:00 UTC; below 0 for a profit. */
  lost: Decimal;
  quote: string;
}

/** `wait`: other signals claim the same limit; `unread`: a limit depends on a balance that cannot be read. */
export type EntryVerdict = 'allowed' | 'wait' | 'unread' | { refused: string };

/** Whether the limits of a subscriber allow an entry order. */
export function entryVerdict(scene: EntryScene): EntryVerdict {
  const count = countVerdict(scene);
  if (count !== 'allowed') return count;
  const { free, lost, subscription, quote, values, executionId } = scene;
  if (!free) return isLimitedByBalance(scene) ? 'unread' : 'allowed';
  const invested = total(values);
  const balance = values.reduce((sum, { certain }) => sum.plus(certain), free);
  const { maxDailyLoss, maxTotalExposure, investPercent, maxExposure } = subscription;
  if (maxDailyLoss !== null && lost.sign > 0) {
    const allowed = percentOf(balance.plus(lost), Decimal.read(maxDailyLoss));
    if (lost.compare(allowed) >= 0)
      return {
        refused: `${short(lost)} ${quote} were lost today, and the subscription allows ${short(allowed)} ${quote} (${maxDailyLoss} %); entries go on at 00:00 UTC`,
      };
  }
  const own = values.filter(({ id }) => id === executionId);
  const share = percentOf(balance, Decimal.read(investPercent)).times(Decimal.read(maxExposure));
  if (admitClaim(own, executionId, share) !== 'allowed')
    return {
      refused: `the signal would invest ${short(total(own))} ${quote}, more than the ${short(share)} ${quote} that the balance allows now`,
    };
  if (maxTotalExposure === null) return 'allowed';
  const limit = percentOf(balance, Decimal.read(maxTotalExposure));
  const verdict = admitClaim(values, executionId, limit);
  if (verdict !== 'refused') return verdict;
  return {
    refused: `all signals together would invest ${short(invested)} ${quote}, more than ${short(limit)} ${quote} (${maxTotalExposure} % of the balance)`,
  };
}

const isLimitedByBalance = ({ subscription: { maxDailyLoss, maxTotalExposure } }: EntryScene): boolean =>
  maxDailyLoss !== null || maxTotalExposure !== null;

function countVerdict({ counts, executionId, subscription: { maxOpenSignals } }: EntryScene): EntryVerdict {
  const verdict = admitClaim(counts, executionId, Decimal.read(String(maxOpenSignals)));
  if (verdict !== 'refused') return verdict;
  return {
    refused: `${maxOpenSignals} signals are followed already, which is the most that the subscription allows`,
  };
}

const total = (claims: readonly Claim[]): Decimal =>
  Decimal.sum(claims.map(({ certain, asked }) => certain.plus(asked)));

const short = (value: Decimal): string => value.round(8, 'half-even').toString();
