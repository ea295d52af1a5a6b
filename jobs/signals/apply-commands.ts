import { Decimal } from '../../compute/model/decimal.js';
import type { CommandQuote, ExecutionEvent } from '../../compute/signals/execution-event.js';
import { hasEntered, isEnded, type Execution } from '../../compute/signals/execution.js';
import { isAtOrBetter } from '../../compute/signals/execution-side.js';
import type { SignalCommand } from '../../storage/signals/partner-signal.js';
import { commandEvent } from './command-event.js';
import type { ExecutionRun } from './run/execution-run.js';

/** A command is judged by a price that is at most this old (ms), or waits for the next one. */
const freshMs = 2_000;

export interface CommandScene {
  nowMs: number;
  /** The last price of the market. */
  last?: CommandQuote | null;
  /** Whether the subscription limits the daily loss, which was compared with the stop when the entry was ordered. */
  keepsStop?: boolean;
}

/**
 * Applies the commands of a signal that an execution has not applied yet, in their order. Commands of an execution that has seen
 * prices wait for a fresh one, unless all of it is cancelled.
 */
export function applyCommands(
  run: ExecutionRun,
  commands: readonly SignalCommand[],
  { nowMs, last = null, keepsStop = false }: CommandScene,
): void {
  const due = commands.slice(run.commandsDone);
  if (due.length === 0) return;
  const quote = freshQuote(run.crossed, last, nowMs);
  if (!quote && needsQuote(run, due)) return run.awaitPrice();
  for (const { event } of due) {
    const investPercent = Decimal.read(run.stored.investPercent);
    const command = commandEvent(event, { execution: run.state, investPercent, at: nowMs, quote });
    if (keepsStop && command.type === 'update_prices' && loosens(run.state, command)) {
      const { stopLoss: _refused, ...others } = command;
      run.note('command_skipped', keptStop, nowMs);
      run.apply(others);
    } else run.apply(command);
    run.noteCommand();
  }
}

const needsQuote = ({ state }: ExecutionRun, due: readonly SignalCommand[]): boolean =>
  state.lastPrice !== null &&
  state.status !== 'closing' &&
  !isEnded(state) &&
  due.every(({ event }) => event.type !== 'cancel');

/**
 * The later of the two prices; null if it is not known to be fresh. A price that has crossed a level has just come. Times of the
 * venue are compared with one another, so that a clock of this machine that is wrong only makes a command wait for a price.
 */
function freshQuote(
  crossed: CommandQuote | null,
  last: CommandQuote | null,
  nowMs: number,
): CommandQuote | null {
  if (!last || (crossed && crossed.time >= last.time)) return crossed;
  const isFresh =
    Math.abs(nowMs - last.time) <= freshMs || (crossed !== null && last.time - crossed.time <= freshMs);
  return isFresh ? last : null;
}

const keptStop =
  'the stop is not moved away from the price: the subscription limits the daily loss, and its entry was accepted with this stop';

/** Whether new prices move the stop of a position or of a standing order away from the price. */
function loosens(
  execution: Execution,
  { stopLoss }: Extract<ExecutionEvent, { type: 'update_prices' }>,
): boolean {
  const { side, stop, orders } = execution;
  if (!stopLoss || !stop || (!hasEntered(execution) && orders.length === 0)) return false;
  return !isAtOrBetter(side, stopLoss, stop.trigger);
}
