/** A tool call that a model asks for. `arguments` is the text of the model, which may be invalid JSON. */
export interface ModelCall {
  id: string;
  name: string;
  arguments: string;
}

export type ModelMessage =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ModelCall[] }
  | { role: 'tool'; callId: string; text: string };

/** A tool as models see it. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  schema: object;
}

export interface ModelRequest {
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  signal: AbortSignal;
  /** Receives each part of the text as it arrives. */
  onText: (text: string) => void;
  /** Receives the tokens that the request has used, even if it fails. */
  onTokens: (tokens: number) => void;
}

/** Text, or calls of tools, or both. */
export interface ModelReply {
  text: string;
  calls: readonly ModelCall[];
}

export interface Model {
  /** Throws `model_failed` when it does not answer, breaks off or answers in no known form, and when the signal is aborted. */
  reply(request: ModelRequest): Promise<ModelReply>;
}
