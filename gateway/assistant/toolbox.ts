import type { JsonSchema } from '../openapi/json-schema.js';

/** What a tool answered the assistant. */
export type ToolOutcome =
  | {
      ok: true;
      /** The payload of the operation, whole and in its own names (camelCase). */
      payload: object;
      /** The answer in a sentence or two, as AI clients read it. */
      readonly headline: string;
      /** The payload in the form for AI clients: snake_case, tables, at most 24 KB, with `as_of`, `stale` and `source`. */
      readonly content: Record<string, unknown>;
      asOf: string;
      isStale: boolean;
      source: string;
    }
  | { ok: false; code: string; message: string; details: Readonly<Record<string, unknown>> };

/** The tools of the connector, called on behalf of the asker. */
export interface Toolbox {
  /** What the payload of a tool consists of; undefined for an unknown name. */
  output(name: string): JsonSchema | undefined;
  /** Names of the tools that may be called: the public ones, and for users those that their scopes open. */
  readonly names: ReadonlySet<string>;
  /** Calls a tool with arguments as the catalogue names them. Rejects only when the client has disconnected. */
  call(name: string, args: Record<string, unknown>): Promise<ToolOutcome>;
}

export interface MadeCall {
  tool: string;
  args: Record<string, unknown>;
  outcome: ToolOutcome;
}
