import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { RequestState } from '../context.js';
import type { InHandSlot } from '../routes/in-hand-slot.js';
import type { TokenScope } from '../../storage/users/token-scopes.js';
import type { ToolSelection } from './tool-selection.js';

/** Who calls the connector, and what their token allows. */
export interface McpAccess {
  /** Null without a token. */
  user: SignedIn | null;
  scopes: ReadonlySet<TokenScope>;
}

/** One HTTP request to the connector, as its handlers see it. */
export interface McpExchange extends McpAccess {
  state: RequestState;
  /** What the client calls itself. */
  client: string;
  /** The tools that the client asked to see, and how brief answers are. */
  selection: ToolSelection;
  /** Aborted when the client disconnects before its answer is complete. */
  signal: AbortSignal;
  /** Makes the place of one call among the requests in hand. */
  slot: () => InHandSlot;
  /** The value of Mcp-Session-Id; empty without. */
  session: string;
}
