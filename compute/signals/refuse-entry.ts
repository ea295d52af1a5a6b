import { awaitsEntry, hasEntered } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';

/** Takes back an entry that a limit of the subscriber refuses. Where nothing is held and nothing else waits, it is skipped. */
export function refuseEntry(draft: ExecutionDraft, leg: string, cause: string): void {
  const entry = draft.now.entries.find(({ id }) => id === leg);
  if (entry?.state !== 'armed') return;
  draft.setEntry(leg, { state: 'withdrawn' });
  draft.note('entry_refused', cause, { leg });
  if (awaitsEntry(draft.now) || hasEntered(draft.now) || draft.now.status === 'closing') return;
  draft.startClosing({ limit: null, outcome: 'skipped', cause, leaveToStopUntil: null });
}
