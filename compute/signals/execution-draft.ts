import type { Decimal } from '../model/decimal.js';
import type { TradeSide } from '../model/risk-assessment.js';
import {
  awaitsEntry,
  hasEntered,
  type ClosePlan,
  type EntryLeg,
  type Execution,
  type ExecutionOutcome,
  type ExitLeg,
  type Stop,
  type TrailingTerms,
} from './execution.js';
import { isAtOrWorse } from './execution-side.js';

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

  /** Skips the signal if nothing is held and no other entry waits. */
  skipIfBare(cause: string): void {
    if (awaitsEntry(this.#now) || hasEntered(this.#now) || this.#now.status === 'closing') return;
    this.startClosing({ limit: null, outcome: 'skipped', cause, leaveToStopUntil: null });
  }

  end(outcome: ExecutionOutcome, cause: string): void {
    this.set({ status: outcome });
    this.note(outcome, cause);
  }

  /**
   * Activates a trailing stop at the present price. What it would loosen of the stop stays as it is. If the price has passed it
   * already, it is refused and the stop stays. One that was given before the first fill sells then what nothing else protects.
   */
  activateTrailingStop(terms: TrailingTerms, setAt?: number): void {
    const { trigger, limit } = terms;
    const { side, lastPrice, stop: present, pendingStop } = this.#now;
    if (!lastPrice) return;
    this.set({ pendingStop: null });
    const isPassed = isAtOrWorse(side, lastPrice, trigger);
    if (isPassed && (present || terms !== pendingStop))
      return this.noteRefused(trigger, present?.trigger ?? null);
    const distance = side === 'long' ? lastPrice.minus(trigger) : trigger.minus(lastPrice);
    const trailing = isPassed ? null : { distance, best: lastPrice };
    const given: Stop = { trigger, limit, trailing, ...(setAt !== undefined && { setAt }) };
    const stop = present ? tightened(this.#now.side, given, present) : given;
    if (stop !== present) return this.setStop(stop);
    this.note('command_skipped', `the stop at ${present.trigger.toString()} protects more in every part`, {
      command: 'trailing_stop',
    });
  }

  /** Notes that a level is refused because the price has passed it, and that the old one stays. */
  noteRefused(level: Decimal, old: Decimal | null): void {
    const kept = old ? `; ${old.toString()} stays` : '';
    this.note(
      'command_refused',
      `the price of ${this.#now.lastPrice!.toString()} has passed ${level.toString()} already${kept}`,
    );
  }

  setStop(stop: Stop): void {
    const { stop: before } = this.#now;
    const isSame = before?.trigger.compare(stop.trigger) === 0 && before.limit === stop.limit;
    this.set(isSame ? { stop } : { stop, stopPlacedAt: null });
    this.note('stop_set', stop.trailing ? 'the stop follows the price' : 'the stop has a new price', {
      stop: stop.trigger.toString(),
      ...(stop.limit && { limit: stop.limit.toString() }),
    });
  }
}

/**
 * The present stop with those parts of the given one that protect more: the trigger, the limit, and the distance by which it
 * follows. The present stop itself if none does.
 */
function tightened(side: TradeSide, given: Stop, present: Stop): Stop {
  const isBetter = (one: Decimal, other: Decimal) => !isAtOrWorse(side, one, other);
  const hasTrigger = isBetter(given.trigger, present.trigger);
  const hasLimit =
    given.limit && present.limit
      ? isBetter(given.limit, present.limit)
      : hasTrigger && present.limit !== given.limit;
  const hasDistance =
    given.trailing !== null &&
    (!present.trailing || given.trailing.distance.compare(present.trailing.distance) < 0);
  if (!hasTrigger && !hasLimit && !hasDistance) return present;
  return {
    ...(hasTrigger ? given : present),
    limit: hasLimit ? given.limit : present.limit,
    trailing: hasDistance ? given.trailing : present.trailing,
  };
}
