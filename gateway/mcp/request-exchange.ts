import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { clientName } from '../../storage/users/client-name.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { TokenScope } from '../../storage/users/token-scopes.js';
import type { RequestState } from '../context.js';
import { whileConnected } from '../routes/caller.js';
import type { McpAccess, McpExchange } from './exchange.js';
import { sessionHeader } from './session-id.js';

type Parts = Pick<McpExchange, 'selection' | 'callId' | 'charge' | 'slot'>;

/** An HTTP request to the connector. A class for the reason given at `RequestCaller`. */
export class RequestExchange implements McpExchange {
  readonly user: SignedIn | null;
  readonly scopes: ReadonlySet<TokenScope>;
  readonly state: RequestState;
  readonly selection: McpExchange['selection'];
  readonly callId: McpExchange['callId'];
  readonly charge: McpExchange['charge'];
  readonly slot: McpExchange['slot'];
  readonly session: string;
  readonly #ctx: ParameterizedContext<RequestState>;
  #signal: AbortSignal | undefined;

  constructor(ctx: ParameterizedContext<RequestState>, { user, scopes }: McpAccess, parts: Parts) {
    this.user = user;
    this.scopes = scopes;
    this.state = ctx.state;
    this.selection = parts.selection;
    this.callId = parts.callId;
    this.charge = parts.charge;
    this.slot = parts.slot;
    this.session = ctx.get(sessionHeader);
    this.#ctx = ctx;
  }

  get client(): string {
    return clientName(this.#ctx.get('user-agent'));
  }

  get signal(): AbortSignal {
    return (this.#signal ??= whileConnected(this.#ctx, hasLeft));
  }
}

const hasLeft = () => new AppError('cancelled', 'the client has disconnected');
