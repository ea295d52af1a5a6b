import type { VenuePosition } from '../../../storage/exchanges/trading-venue.js';
import type { OpenExecution } from '../../../storage/ledger/open-executions.js';
import { entryStandingOf } from './claims-of.js';

export interface ContractScene {
  own: OpenExecution;
  /** The user's other running executions on the pair, on the same account of the exchange. */
  others: readonly OpenExecution[];
  /** What the exchange shows there; `none` also for an order that it may have already; null: it cannot be read. */
  position: VenuePosition | 'none' | null;
}

/**
 * Whether an entry fits the one position that an account has of a pair with margin: one direction, one leverage and one kind of
 * margin. A second one would sell or re-margin the first. A position that no signal has opened is not touched at all.
 */
export function contractVerdict({
  own,
  others,
  position,
}: ContractScene): 'allowed' | 'wait' | 'unread' | { refused: string } {
  const standing = others.filter((each) => each.state && entryStandingOf(each) !== 'none');
  const clashing = standing.flatMap((each) => clashOf(own, each) ?? []);
  const first = clashing.find(({ other }) => entryStandingOf(other) === 'certain' || other.id < own.id);
  if (first) return { refused: first.why };
  if (clashing.length > 0) return 'wait';
  if (position === null) return 'unread';
  const isOurs = position === 'none' || standing.length > 0 || entryStandingOf(own) === 'certain';
  return isOurs
    ? 'allowed'
    : { refused: `you hold a position of ${own.pair} on ${own.account} that no signal has opened` };
}

function clashOf(own: OpenExecution, other: OpenExecution): { other: OpenExecution; why: string } | null {
  const found = (['side', 'leverage'] as const).find((each) => own.state![each] !== other.state![each]);
  const holds = `another signal is ${other.state!.side} on ${own.pair} with a leverage of ${other.state!.leverage} and ${other.marginMode} margin`;
  if (found === undefined && own.marginMode === other.marginMode) return null;
  return { other, why: `${holds}; an account has one direction and one leverage on a pair` };
}
