import type { VenuePosition } from '../../../storage/exchanges/trading-venue.js';
import type { OpenExecution } from '../../../storage/ledger/open-executions.js';
import { entryStandingOf } from './claims-of.js';

export interface ContractScene {
  own: OpenExecution;
  /** The user's other running executions on the pair, on the same account of the exchange. */
  others: readonly OpenExecution[];
  /** What the exchange shows there; none also for an order that it may have already; null: it cannot be read. */
  positions: readonly VenuePosition[] | null;
  /** Whether the account holds longs and shorts of the pair apart; null: it cannot be read. */
  isHedged: boolean | null;
}

/**
 * Whether an entry fits the position that an account has of a pair with margin: one direction (both in hedge mode), one leverage and
 * one kind of margin. A second one would sell or re-margin the first. A position that no signal has opened is not touched at all.
 */
export function contractVerdict({
  own,
  others,
  positions,
  isHedged,
}: ContractScene): 'allowed' | 'wait' | 'unread' | { refused: string } {
  const standing = others.filter((each) => each.state && entryStandingOf(each) !== 'none');
  if (positions === null || isHedged === null) return 'unread';
  const clashing = standing.flatMap((each) => clashOf(own, each, isHedged) ?? []);
  const first = clashing.find(({ other }) => entryStandingOf(other) === 'certain' || other.id < own.id);
  if (first) return { refused: first.why };
  if (clashing.length > 0) return 'wait';
  const ours = entryStandingOf(own) === 'certain' ? [own, ...standing] : standing;
  const sides = new Set(ours.map(({ state }) => state!.side));
  return positions.every(({ quantity }) => sides.has(quantity.sign > 0 ? 'long' : 'short'))
    ? 'allowed'
    : { refused: `you hold a position of ${own.pair} on ${own.account} that no signal has opened` };
}

function clashOf(
  own: OpenExecution,
  other: OpenExecution,
  isHedged: boolean,
): { other: OpenExecution; why: string } | null {
  const found = isHedged
    ? own.state!.leverage !== other.state!.leverage
    : own.state!.side !== other.state!.side || own.state!.leverage !== other.state!.leverage;
  const holds = `another signal is ${other.state!.side} on ${own.pair} with a leverage of ${other.state!.leverage} and ${other.marginMode} margin`;
  if (!found && own.marginMode === other.marginMode) return null;
  return { other, why: `${holds}; an account has one direction and one leverage on a pair` };
}
