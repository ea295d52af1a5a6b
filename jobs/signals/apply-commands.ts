import { Decimal } from '../../compute/model/decimal.js';
import { hasEntered, type Execution } from '../../compute/signals/execution.js';
import type { ExecutionEvent } from '../../compute/signals/execution-event.js';
import { isAtOrBetter } from '../../compute/signals/execution-side.js';
import type { SignalCommand } from '../../storage/signals/partner-signal.js';
import { commandEvent } from './command-event.js';
import type { ExecutionRun } from './run/execution-run.js';

/**
 * Applies the commands of a signal that an execution has not applied yet, in their order. `keepsStop`: whether its subscription
 * limits the daily loss, which was compared with the stop when the entry was ordered.
 */
export function applyCommands(
  run: ExecutionRun,
  commands: readonly SignalCommand[],
  nowMs: number,
  keepsStop = false,
): void {
  for (const { event } of commands.slice(run.commandsDone)) {
    const investPercent = Decimal.read(run.stored.investPercent);
    const command = commandEvent(event, { execution: run.state, investPercent, at: nowMs });
    if (keepsStop && command.type === 'update_prices' && loosens(run.state, command)) {
      const { stopLoss: _refused, ...others } = command;
      run.note('command_skipped', keptStop, nowMs);
      run.apply(others);
    } else run.apply(command);
    run.noteCommand();
  }
}

const keptStop =
  'the stop is not moved away from the price: the subscription limits the daily loss, and its entry was accepted with this stop';

/** Whether new prices move the stop of what is held or ordered away from the price. */
function loosens(
  execution: Execution,
  { stopLoss }: Extract<ExecutionEvent, { type: 'update_prices' }>,
): boolean {
  const { side, stop, orders } = execution;
  if (!stopLoss || !stop || (!hasEntered(execution) && orders.length === 0)) return false;
  return !isAtOrBetter(side, stopLoss, stop.trigger);
}
