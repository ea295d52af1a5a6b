import type { AskError } from '../../client/ask.js';
import type { RoutePayload } from '../../client/routes.js';

/** A question to the assistant with its answer, as far as it has come. */
export interface Turn {
  question: string;
  text: string;
  tools: RoutePayload<'POST /backend/assistant/chat'>['figures']['tools'];
  /** What it does at the moment. */
  doing: string | null;
  error: AskError | null;
}
