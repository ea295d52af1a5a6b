import type { TradeSide } from '../../../compute/model/risk-assessment.js';
import type {
  PartnerSignal,
  SignalEntryTerms,
  SignalTerms,
} from '../../../storage/signals/partner-signal.js';

/** An entry with a zone is named by the end at which it is ordered. */
const ofZone = (entry: SignalEntryTerms, side: TradeSide): SignalEntryTerms =>
  entry.zoneEnd === null ? entry : { ...entry, level: side === 'long' ? 'max' : 'min' };

/** The terms of a signal with the prices that later commands have given it. */
export function presentTerms({ terms, commands }: Pick<PartnerSignal, 'terms' | 'commands'>): SignalTerms {
  let present = terms;
  for (const { event } of commands) {
    if (event.type !== 'update_prices') continue;
    const { entries = {}, targets = {}, stopLoss = present.stopLoss } = event;
    present = {
      ...present,
      entries: present.entries.map((entry, index) =>
        ofZone({ ...entry, ...entries[`entry-${index + 1}`] }, present.side),
      ),
      targets: present.targets.map((price, index) => targets[`target-${index + 1}`] ?? price),
      stopLoss,
    };
  }
  return present;
}
