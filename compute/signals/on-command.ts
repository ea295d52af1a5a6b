import { Decimal } from '../model/decimal.js';
import { averageEntry, hasEntered, type EntryLeg, type ExitLeg, type Stop } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';
import type {
  DcaCommand,
  RebuyCommand,
  TakeProfitCommand,
  TrailingStopCommand,
  UpdatePricesCommand,
} from './execution-event.js';
import { isAtOrWorse, isAtOrBetter } from './execution-side.js';
import { armTarget } from './arm-targets.js';

export type PartnerCommand =
  | TakeProfitCommand
  | TrailingStopCommand
  | RebuyCommand
  | DcaCommand
  | UpdatePricesCommand;

/** Applies a command. A position that is being closed ignores it. */
export function onCommand(draft: ExecutionDraft, command: PartnerCommand): void {
  if (draft.now.status === 'closing')
    return draft.note('command_skipped', 'the position is being closed', { command: command.type });
  if (command.quote) draft.set({ lastPrice: command.quote.price });
  switch (command.type) {
    case 'take_profit':
      return onTakeProfit(draft, command);
    case 'trailing_stop':
      return onTrailingStop(draft, command);
    case 'rebuy':
      return onRebuy(draft, command);
    case 'dca':
      return onDca(draft, command);
    case 'update_prices':
      return onUpdatePrices(draft, command);
  }
}

/** Replaces the targets that are not reached by one sale, at market or at a price. */
function onTakeProfit(draft: ExecutionDraft, command: TakeProfitCommand): void {
  const { orderType, price, percent, stop, id } = command;
  const { lastPrice, targets } = draft.now;
  if (orderType === 'market' && !hasEntered(draft.now))
    return draft.note('command_skipped', 'there is no position to sell', { command: 'take_profit' });
  const leg: ExitLeg = {
    id,
    type: orderType,
    price: orderType === 'market' ? lastPrice! : price!,
    percent,
    state: 'waiting',
    quantity: null,
    filled: Decimal.zero,
    stop,
    ...setAt(command),
  };
  draft.set({ targets: [...targets.map(withdrawnIfWaiting), leg] });
  draft.note(
    'take_profit',
    `sells ${percent.toString()} % ${orderType === 'market' ? 'at market' : `at ${leg.price.toString()}`}`,
    {
      leg: id,
    },
  );
  if (orderType === 'market') armTarget(draft, leg);
}

const withdrawnIfWaiting = (leg: ExitLeg): ExitLeg =>
  leg.state === 'waiting' ? { ...leg, state: 'withdrawn' } : leg;

/** The venue's time at which a command was taken, for what it sets. */
const setAt = ({ quote }: PartnerCommand): { setAt?: number } => (quote ? { setAt: quote.time } : {});

/** Activates a trailing stop. Before the first fill it only waits for that fill. */
function onTrailingStop(draft: ExecutionDraft, command: TrailingStopCommand): void {
  const { stop } = command;
  const { side, lastPrice } = draft.now;
  if (hasEntered(draft.now)) {
    if (lastPrice && isAtOrWorse(side, lastPrice, stop.trigger))
      return draft.noteRefused(stop.trigger, draft.now.stop?.trigger ?? null);
    return draft.activateTrailingStop(stop, command.quote?.time);
  }
  if (isBeyondEntries(draft, stop.trigger)) return;
  draft.set({ pendingStop: stop });
  draft.note('trailing_stop', 'becomes active with the first purchase', { stop: stop.trigger.toString() });
}

/** Whether everything that may still be bought would be sold at a stop at once; notes that it is refused. */
function isBeyondEntries(draft: ExecutionDraft, trigger: Decimal): boolean {
  const { side, entries } = draft.now;
  const open = entries.filter(({ state }) => state === 'waiting' || state === 'armed');
  if (open.length === 0 || !open.every(({ price }) => isAtOrWorse(side, price, trigger))) return false;
  const cause = `every entry is beyond ${trigger.toString()}: it would be sold at once`;
  draft.note('command_refused', cause);
  return true;
}

/** Adds a zone that is worse than the average entry, so that it lowers the average (raises it, for a short). */
function onRebuy(draft: ExecutionDraft, command: RebuyCommand): void {
  const { id, min, max, amount, stop } = command;
  const { side } = draft.now;
  const [price, zoneEnd] = side === 'long' ? [max, min] : [min, max];
  const average = averageEntry(draft.now);
  if (average && isAtOrBetter(side, price, average))
    return draft.note(
      'command_skipped',
      `the rebuy zone is not beyond the average entry of ${average.toString()}`,
      {
        command: 'rebuy',
      },
    );
  addEntry(draft, { id, kind: 'rebuy', price, zoneEnd, amount, stop, ...setAt(command) });
}

/** Adds a purchase of the original investment times the multiplier. */
function onDca(draft: ExecutionDraft, command: DcaCommand): void {
  const { id, price, multiplier } = command;
  const amount = draft.now.invested.times(multiplier);
  addEntry(draft, { id, kind: 'dca', price, zoneEnd: null, amount, stop: null, ...setAt(command) });
}

function addEntry(
  draft: ExecutionDraft,
  given: Pick<EntryLeg, 'id' | 'kind' | 'price' | 'zoneEnd' | 'amount' | 'stop' | 'setAt'>,
): void {
  const leg: EntryLeg = { ...given, type: 'limit', state: 'waiting', quantity: null, filled: Decimal.zero };
  draft.set({ entries: [...draft.now.entries, leg] });
  draft.note(`${given.kind}_added`, `waits for ${given.price.toString()}`, { leg: given.id });
}

/** Changes the prices of entries without fills and of waiting targets, and the stop. An armed entry waits for its new price. */
function onUpdatePrices(draft: ExecutionDraft, command: UpdatePricesCommand): void {
  const { entries = {}, targets = {}, stopLoss } = command;
  for (const [id, prices] of Object.entries(entries)) {
    const leg = draft.now.entries.find((entry) => entry.id === id);
    if (leg?.filled.sign === 0 && (leg.state === 'waiting' || leg.state === 'armed'))
      draft.setEntry(id, { ...prices, state: 'waiting', quantity: null, ...setAt(command) });
    else
      draft.note('command_skipped', 'this entry is filled or withdrawn', {
        command: 'update_prices',
        leg: id,
      });
  }
  for (const [id, price] of Object.entries(targets)) {
    const leg = draft.now.targets.find((target) => target.id === id);
    if (leg?.state === 'waiting') updateTarget(draft, leg, { price, triedAt: null, ...setAt(command) });
    else
      draft.note('command_skipped', 'this target is reached or withdrawn', {
        command: 'update_prices',
        leg: id,
      });
  }
  if (stopLoss) updateStop(draft, { trigger: stopLoss, limit: null, trailing: null, ...setAt(command) });
}

/** A target that the price has passed would sell at once: the old one stays. */
function updateTarget(
  draft: ExecutionDraft,
  { id, price: old }: ExitLeg,
  given: Pick<ExitLeg, 'price' | 'setAt' | 'triedAt'>,
): void {
  const { side, lastPrice } = draft.now;
  if (lastPrice && isAtOrBetter(side, lastPrice, given.price)) return draft.noteRefused(given.price, old);
  draft.setTarget(id, given);
}

/**
 * A stop that the price has passed would sell at once: the old one stays. The stop of a position and a trailing stop, also one
 * that waits for the first fill, are only ever tightened.
 */
function updateStop(draft: ExecutionDraft, given: Stop): void {
  const { side, stop, pendingStop, lastPrice } = draft.now;
  const { trigger } = given;
  if (lastPrice && isAtOrWorse(side, lastPrice, trigger))
    return draft.noteRefused(trigger, stop?.trigger ?? null);
  if (!hasEntered(draft.now) && isBeyondEntries(draft, trigger)) return;
  if (pendingStop && isAtOrBetter(side, trigger, pendingStop.trigger)) {
    const limit = pendingStop.limit.plus(trigger.minus(pendingStop.trigger));
    draft.set({ pendingStop: { trigger, limit } });
  }
  if (!stop || (!stop.trailing && !hasEntered(draft.now))) return draft.setStop(given);
  if (isAtOrWorse(side, trigger, stop.trigger))
    return draft.note('command_skipped', `the stop is at ${stop.trigger.toString()} already`, {
      command: 'update_prices',
    });
  if (!stop.trailing) return draft.setStop(given);
  const { best } = stop.trailing;
  const distance = side === 'long' ? best.minus(trigger) : trigger.minus(best);
  const limit = stop.limit?.plus(trigger.minus(stop.trigger)) ?? null;
  draft.setStop({ ...given, limit, trailing: distance.sign > 0 ? { distance, best } : null });
}
