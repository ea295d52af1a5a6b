import { understand, type Understanding } from '../../../gateway/assistant/analyst/understand.js';
import { stateAfter, type AnalystState } from '../../../gateway/assistant/analyst/analyst-state.js';

/** A fixed present time for questions. */
export const nowMs = Date.UTC(2026, 5, 15, 12);

/** What is understood of each message of a conversation, and the state after it, without any tool. */
export function understood(
  messages: readonly string[],
  symbols: readonly string[] = [],
): { asked: Understanding; state: AnalystState }[] {
  let state: AnalystState = {};
  return messages.map((message) => {
    const asked = understand(message, state, { nowMs, symbols });
    state = stateAfter(state, asked.questions);
    return { asked, state };
  });
}
