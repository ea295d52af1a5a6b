import { awaitsEntry, hasEntered } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';

/**
 * Withdraws an entry that a limit of the subscriber refuses. If nothing is held and no other entry waits, the signal is skipped.
 */
export function refuseEntry(draft: ExecutionDraft, leg: string, cause: string): void {
  const entry = draft.now.entries.find(({ id }) => id === leg);
  if (entry?.state !== 'armed') return;
  draft.setEntry(leg, { state: 'withdrawn' });
  draft.note('entry_refused', cause, { leg });
  if (awaitsEntry(draft.now) || hasEntered(draft.now) || draft.now.status === 'closing') return;
  draft.startClosing({ limit: null, outcome: 'skipped', cause, leaveToStopUntil: null });
}
