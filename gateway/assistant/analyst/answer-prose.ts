import type { ToolOutcome } from '../toolbox.js';
import { writeMoment } from './format.js';
import type { Prose } from './intent.js';

type Answer = Extract<ToolOutcome, { ok: true }>;

/** An answer as text: the answer first, its figures, the caveats that matter, what could be asked next, and `as of` last. */
export function writeAnswer(
  { lead, figures = [], caveat, next, isWithoutData }: Prose,
  outcomes: readonly Answer[],
): string {
  const parts = [
    lead,
    ...figures,
    caveat ?? '',
    ...(isWithoutData ? [] : outcomes.flatMap(dataCaveats)),
    next ?? '',
    asOf(outcomes),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function dataCaveats({ isStale, source }: Answer): string[] {
  return [
    ...(isStale ? ['Newer data should be there by now, so this may be out of date.'] : []),
    ...(source === 'demo' ? ['These are demo data, generated and not of a real market.'] : []),
  ];
}

function asOf(outcomes: readonly Answer[]): string {
  const [first] = outcomes.map((each) => each.asOf).sort();
  return first === undefined ? '' : `As of ${writeMoment(first)}.`;
}
