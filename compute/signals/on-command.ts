import { Decimal } from '../model/decimal.js';
import { averageEntry, hasEntered, type EntryLeg, type ExitLeg } from './execution.js';
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

/** A command of the partner. */
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

/** Activates a trailing stop. Before the first fill it only waits for that fill. */
function onTrailingStop(draft: ExecutionDraft, { stop }: TrailingStopCommand): void {
  if (hasEntered(draft.now)) return draft.activateTrailingStop(stop);
  draft.set({ pendingStop: stop });
  draft.note('trailing_stop', 'becomes active with the first purchase', { stop: stop.trigger.toString() });
}

/** Adds a zone that is worse than the average entry, so that it lowers the average (raises it, for a short). */
function onRebuy(draft: ExecutionDraft, { id, min, max, amount, stop }: RebuyCommand): void {
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
  addEntry(draft, { id, kind: 'rebuy', price, zoneEnd, amount, stop });
}

/** Adds a purchase of the original investment times the multiplier. */
function onDca(draft: ExecutionDraft, { id, price, multiplier }: DcaCommand): void {
  const amount = draft.now.invested.times(multiplier);
  addEntry(draft, { id, kind: 'dca', price, zoneEnd: null, amount, stop: null });
}

function addEntry(
  draft: ExecutionDraft,
  given: Pick<EntryLeg, 'id' | 'kind' | 'price' | 'zoneEnd' | 'amount' | 'stop'>,
): void {
  const leg: EntryLeg = { ...given, type: 'limit', state: 'waiting', quantity: null, filled: Decimal.zero };
  draft.set({ entries: [...draft.now.entries, leg] });
  draft.note(`${given.kind}_added`, `waits for ${given.price.toString()}`, { leg: given.id });
}

/** Changes the prices of entries without fills and of waiting targets, and the stop. An armed entry waits for its new price. */
function onUpdatePrices(
  draft: ExecutionDraft,
  { entries = {}, targets = {}, stopLoss }: UpdatePricesCommand,
): void {
  for (const [id, prices] of Object.entries(entries)) {
    const leg = draft.now.entries.find((entry) => entry.id === id);
    if (leg?.filled.sign === 0 && (leg.state === 'waiting' || leg.state === 'armed'))
      draft.setEntry(id, { ...prices, state: 'waiting', quantity: null });
    else
      draft.note('command_skipped', 'this entry is filled or withdrawn', {
        command: 'update_prices',
        leg: id,
      });
  }
  for (const [id, price] of Object.entries(targets)) {
    const leg = draft.now.targets.find((target) => target.id === id);
    if (leg?.state === 'waiting') draft.setTarget(id, { price });
    else
      draft.note('command_skipped', 'this target is reached or withdrawn', {
        command: 'update_prices',
        leg: id,
      });
  }
  if (stopLoss) updateStop(draft, stopLoss);
}

/** A trailing stop is only ever tightened, also one that waits for the first fill. A fixed stop takes any price. */
function updateStop(draft: ExecutionDraft, trigger: Decimal): void {
  const { side, stop, pendingStop } = draft.now;
  if (pendingStop && isAtOrBetter(side, trigger, pendingStop.trigger)) {
    const limit = pendingStop.limit.plus(trigger.minus(pendingStop.trigger));
    draft.set({ pendingStop: { trigger, limit } });
  }
  if (!stop?.trailing) return draft.setStop({ trigger, limit: null, trailing: null });
  if (isAtOrWorse(side, trigger, stop.trigger))
    return draft.note('command_skipped', `the trailing stop is at ${stop.trigger.toString()} already`, {
      command: 'update_prices',
    });
  const { best } = stop.trailing;
  const distance = side === 'long' ? best.minus(trigger) : trigger.minus(best);
  const limit = stop.limit?.plus(trigger.minus(stop.trigger)) ?? null;
  draft.setStop({ trigger, limit, trailing: distance.sign > 0 ? { distance, best } : null });
}
