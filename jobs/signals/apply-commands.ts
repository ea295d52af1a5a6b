import { Decimal } from '../../compute/model/decimal.js';
import type { SignalCommand } from '../../storage/signals/partner-signal.js';
import { commandEvent } from './command-event.js';
import type { ExecutionRun } from './run/execution-run.js';

/** Applies the commands of a signal that an execution has not applied yet, in their order. */
export function applyCommands(run: ExecutionRun, commands: readonly SignalCommand[], nowMs: number): void {
  for (const { event } of commands.slice(run.commandsDone)) {
    const investPercent = Decimal.read(run.stored.investPercent);
    run.apply(commandEvent(event, { execution: run.state, investPercent, at: nowMs }));
    run.noteCommand();
  }
}
