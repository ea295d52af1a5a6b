import type { JobProgress } from '../../jobs/requests/job-client.js';
import type { AnswerSource } from '../../storage/conversations/conversation.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { TokenScope } from '../../storage/users/token-scopes.js';

/** What happens while a question is answered, in the order in which it happens. */
export type ChatEvent =
  /** A part of the answer. With `restart` the parts that were sent before are to be discarded. */
  | { name: 'token'; data: { text: string; restart?: true } }
  /** A tool begins or has ended. Arguments and results are left out, because they may hold account data. */
  | { name: 'tool'; data: { tool: string; state: 'started' | 'answered' | 'failed' } };

/** The user or guest who asks, and how the client is reached. */
export interface Asker {
  requestId: string;
  /** Null for a guest, and for a user who asks as one. */
  user: SignedIn | null;
  /** What the tools may read in the name of the user. */
  scopes: ReadonlySet<TokenScope>;
  address: string;
  /** The name that the client gives itself. */
  client: string;
  /** Aborted when the client disconnects. Then the answer and all work for it end. */
  signal: AbortSignal;
  /** Charges points beyond those of the request. Rejects with `rate_limited`. */
  charge: (points: number) => Promise<void>;
  onProgress?: ((progress: JobProgress) => void) | undefined;
  onEvent?: ((event: ChatEvent) => void) | undefined;
}

export interface AssistantQuestion {
  message: string;
  /** Continues a conversation; null begins one. */
  conversationId: string | null;
}

export interface AssistantAnswer {
  response: string;
  conversationId: string;
  figures: {
    /** Who wrote the answer: the language model, or the built-in analyst. */
    answeredBy: 'model' | 'analyst';
    /** The tools behind the figures, in the order in which they were called. */
    tools: AnswerSource[];
  };
}

/** Answers questions in plain language from the tools of the connector. */
export interface Assistant {
  /** Throws `unknown_conversation`, `conversation_busy`, `gateway_busy`, and `cancelled` when the client has disconnected. */
  ask(question: AssistantQuestion, asker: Asker): Promise<AssistantAnswer>;
}
