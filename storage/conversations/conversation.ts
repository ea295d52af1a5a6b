/** A tool whose data an answer is based on. */
export interface AnswerSource {
  tool: string;
  /** The arguments of its call, as the catalogue names them. */
  args: Record<string, unknown>;
  /** Time that the data are about, ISO 8601. */
  asOf: string;
  /** Where the data come from: a market, `account` or `service`. */
  source: string;
}

/** One question and its answer. */
export interface ConversationTurn {
  /** 1 for the first of the conversation. */
  turn: number;
  at: Date;
  question: string;
  answer: string;
  tools: AnswerSource[];
}

/** What a list shows of a conversation. */
export interface ConversationSummary {
  id: string;
  /** The first question, shortened. */
  title: string;
  createdAt: Date;
  updatedAt: Date;
  /** Questions answered so far. */
  turns: number;
}

export interface Conversation extends ConversationSummary {
  /** The latest turns, whole, the oldest first. */
  recent: ConversationTurn[];
  /** The turns before them, a line each, the oldest first; empty if there are none. */
  earlier: string;
  /** What the analyst remembers of the last question; null at first. */
  state: object | null;
}

/** The id of the user who owns a conversation; null for a guest, for whom knowing the conversation's id is enough. */
export type ConversationOwner = string | null;
