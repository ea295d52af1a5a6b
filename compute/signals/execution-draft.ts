import type {
  ClosePlan,
  EntryLeg,
  Execution,
  ExecutionOutcome,
  ExitLeg,
  Stop,
  TrailingTerms,
} from './execution.js';
import { betterPrice, isAtOrBetter, worsenedBy } from './execution-side.js';

/** A line of the timeline: what happened, the cause in words, and the figures that changed. */
export interface ExecutionNote {
  readonly type: string;
  readonly cause: string;
  readonly figures?: Readonly<Record<string, string>>;
}

/** An execution while an event changes it. It is used within one call of `advanceExecution`. */
export class ExecutionDraft {
  readonly notes: ExecutionNote[] = [];
  #now: Execution;

  constructor(execution: Execution) {
    this.#now = execution;
  }

  get now(): Execution {
    return this.#now;
  }

  set(changes: Partial<Execution>): void {
    this.#now = { ...this.#now, ...changes };
  }

  note(type: string, cause: string, figures?: Record<string, string>): void {
    this.notes.push(figures ? { type, cause, figures } : { type, cause });
  }

  setEntry(id: string, changes: Partial<EntryLeg>): void {
    this.set({ entries: this.#now.entries.map((leg) => (leg.id === id ? { ...leg, ...changes } : leg)) });
  }

  setTarget(id: string, changes: Partial<ExitLeg>): void {
    this.set({ targets: this.#now.targets.map((leg) => (leg.id === id ? { ...leg, ...changes } : leg)) });
  }

  /** Withdraws the entries that are not filled. Rebuys and DCA levels stay. */
  withdrawEntries(cause: string): void {
    for (const { id, kind, state } of this.#now.entries) {
      if (kind !== 'entry' || (state !== 'waiting' && state !== 'armed')) continue;
      this.setEntry(id, { state: 'withdrawn' });
      this.note('entry_withdrawn', cause, { leg: id });
    }
  }

  /** From now on the position is only sold, as `plan` says. It replaces an earlier plan. */
  startClosing(plan: ClosePlan): void {
    this.set({ status: 'closing', close: plan });
    this.note('closing', plan.cause, plan.limit ? { limit: plan.limit.toString() } : undefined);
  }

  end(outcome: ExecutionOutcome, cause: string): void {
    this.set({ status: outcome });
    this.note(outcome, cause);
  }

  /** Activates a trailing stop at the present price. It replaces the stop, but never loosens a trailing stop that is active. */
  activateTrailingStop({ trigger, limit }: TrailingTerms): void {
    const { side, lastPrice, stop: present } = this.#now;
    if (!lastPrice) return;
    const isBeyond = !isAtOrBetter(side, lastPrice, trigger);
    const distance = side === 'long' ? lastPrice.minus(trigger) : trigger.minus(lastPrice);
    const trailing = isBeyond ? null : { distance, best: lastPrice };
    const given: Stop = { trigger, limit, trailing };
    this.set({ pendingStop: null });
    this.setStop(present ? tightened(this.#now, given, present) : given);
  }

  /** Replaces the stop. */
  setStop(stop: Stop): void {
    this.set({ stop, stopPlacedAt: null });
    this.note('stop_set', stop.trailing ? 'the stop follows the price' : 'the stop has a new price', {
      stop: stop.trigger.toString(),
    });
  }
}

/** The given stop; if a trailing stop is active already, its trigger is no worse than that one's. */
function tightened({ side }: Execution, given: Stop, present: Stop): Stop {
  if (!present.trailing) return given;
  const trigger = betterPrice(side, given.trigger, present.trigger);
  if (trigger === given.trigger || !given.limit) return { ...given, trigger };
  const gap = side === 'long' ? given.trigger.minus(given.limit) : given.limit.minus(given.trigger);
  return { ...given, trigger, limit: worsenedBy(side, trigger, gap) };
}
