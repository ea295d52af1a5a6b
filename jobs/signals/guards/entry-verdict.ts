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
  /** Claims of the user's executions on the same wallet of the same exchange in the same quote asset. */
  values: readonly Claim[];
  /** What the user's executions on the exchange in the same quote asset would lose at their stops; see `riskClaim`. */
  risks: readonly Claim[];
  /** The user's free balance of the quote asset on the account; null if it cannot be read: an order that it limits waits. */
  free: Decimal | null;
  /** What orders of other executions may be about to take from it, see `reservedByOthers`; null: the exchange may have the order. */
  reserved: Decimal | null;
  /** The user's loss there since 00:00 UTC; below 0 for a profit. */
  lost: Decimal;
  quote: string;
}

/** `wait`: other signals claim the same limit; `unread`: a limit depends on a balance that cannot be read. */
export type EntryVerdict = 'allowed' | 'wait' | 'unread' | { refused: string };

/** Whether the limits of a subscriber and the balance allow an entry order. */
export function entryVerdict(scene: EntryScene): EntryVerdict {
  const count = countVerdict(scene);
  if (count !== 'allowed') return count;
  const { free, reserved } = scene;
  if (!free) return isLimitedByBalance(scene) ? 'unread' : 'allowed';
  // An order that the exchange may have is gone from what is free; it was allowed before it was sent.
  const taken = reserved ? Decimal.zero : ownAsked(scene);
  const balance = scene.values.reduce((sum, { certain }) => sum.plus(certain), free.plus(taken));
  for (const check of [lossVerdict, shareVerdict, exposureVerdict]) {
    const verdict = check(scene, balance);
    if (verdict !== 'allowed') return verdict;
  }
  return reserveVerdict(scene, free);
}

/** What is lost today, and what could be lost at the stops of all that is open or ordered, stays within the limit of a day. */
function lossVerdict(scene: EntryScene, balance: Decimal): EntryVerdict {
  const { lost, risks, quote, executionId, subscription } = scene;
  const { maxDailyLoss } = subscription;
  if (maxDailyLoss === null) return 'allowed';
  const allowed = percentOf(balance.plus(lost), Decimal.read(maxDailyLoss));
  const limit = `the subscription allows ${short(allowed)} ${quote} (${maxDailyLoss} %)`;
  if (lost.sign > 0 && lost.compare(allowed) >= 0)
    return { refused: `${short(lost)} ${quote} were lost today, and ${limit}; entries go on at 00:00 UTC` };
  const verdict = admitClaim(risks, executionId, allowed.minus(lost));
  if (verdict !== 'refused') return verdict;
  const own = total(risks.filter(({ id }) => id === executionId));
  const others = total(risks).minus(own);
  return {
    refused: `the signal could lose ${short(own)} ${quote} down to its stop (all of it, without a stop) beside the ${short(others)} ${quote} of other signals and ${short(lost)} ${quote} lost today, and ${limit}`,
  };
}

function shareVerdict({ values, executionId, subscription, quote }: EntryScene, balance: Decimal) {
  const { investPercent, maxExposure } = subscription;
  const own = values.filter(({ id }) => id === executionId);
  const share = percentOf(balance, Decimal.read(investPercent)).times(Decimal.read(maxExposure));
  if (admitClaim(own, executionId, share) === 'allowed') return 'allowed';
  return {
    refused: `the signal would invest ${short(total(own))} ${quote}, more than the ${short(share)} ${quote} that the balance allows now`,
  };
}

function exposureVerdict({ values, executionId, subscription, quote }: EntryScene, balance: Decimal) {
  const { maxTotalExposure } = subscription;
  if (maxTotalExposure === null) return 'allowed';
  const limit = percentOf(balance, Decimal.read(maxTotalExposure));
  const verdict = admitClaim(values, executionId, limit);
  if (verdict !== 'refused') return verdict;
  return {
    refused: `all signals together would invest ${short(total(values))} ${quote}, more than ${short(limit)} ${quote} (${maxTotalExposure} % of the balance)`,
  };
}

/** What is free, less what others may be about to take, covers the order. */
function reserveVerdict(scene: EntryScene, free: Decimal): EntryVerdict {
  const { reserved, quote } = scene;
  if (!reserved) return 'allowed';
  const needed = ownAsked(scene);
  if (needed.compare(free) > 0)
    return { refused: `the order needs ${short(needed)} ${quote}, and ${short(free)} ${quote} are free` };
  return needed.plus(reserved).compare(free) > 0 ? 'wait' : 'allowed';
}

const ownAsked = ({ values, executionId }: EntryScene): Decimal =>
  Decimal.sum(values.filter(({ id }) => id === executionId).map(({ asked }) => asked));

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
