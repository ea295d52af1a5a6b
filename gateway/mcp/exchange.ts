import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { JobProgress } from '../../jobs/requests/job-client.js';
import type { Caller, RequestState } from '../context.js';
import { type InHandSlot, whileConnected } from '../routes/caller.js';
import type { TokenScope } from '../../storage/users/token-scopes.js';
import type { ToolSelection } from './tool-selection.js';
import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { clientName } from '../../storage/users/client-name.js';
import { sessionHeader } from './session-id.js';

/** Who calls the connector, and what their token allows. */
export interface McpAccess {
  /** Null without a token. */
  user: SignedIn | null;
  scopes: ReadonlySet<TokenScope>;
}

/** One HTTP request to the connector, as its handlers see it: without the private fields, so that tests can write one out. */
export type McpExchange = Pick<RequestExchange, keyof RequestExchange>;

/**
 * The caller of an operation that a request to the connector runs. `ending` returns the signal that ends the operation.
 * `waits` is called when the operation reads that signal, because it reads it to wait for a job. From then on the request
 * does not count as in hand, as over REST. A class for the reason given at `RequestCaller`.
 */
export class ExchangeCaller implements Caller {
  readonly requestId: string;
  readonly user: SignedIn | null;
  readonly address: string;
  readonly scopes: ReadonlySet<TokenScope>;
  readonly charge: (points: number) => Promise<void>;
  readonly timings: Caller['timings'] = {};
  readonly onProgress?: (progress: JobProgress) => void;
  readonly #exchange: CallingExchange;
  readonly #ending: () => AbortSignal;
  readonly #waits: () => void;

  constructor(
    exchange: CallingExchange,
    ending: () => AbortSignal,
    waits: () => void,
    onProgress?: (progress: JobProgress) => void,
  ) {
    this.requestId = exchange.state.requestId;
    this.user = exchange.user;
    this.address = exchange.state.address;
    this.scopes = exchange.scopes;
    this.charge = exchange.charge;
    if (onProgress) this.onProgress = onProgress;
    this.#exchange = exchange;
    this.#ending = ending;
    this.#waits = waits;
  }

  /** Read on use: few operations ask for it. */
  get client(): string {
    return this.#exchange.client;
  }

  get signal(): AbortSignal {
    this.#waits();
    return this.#ending();
  }
}

/** What a caller is made of. */
type CallingExchange = Pick<McpExchange, 'state' | 'user' | 'client' | 'scopes' | 'charge'>;

type Parts = Pick<RequestExchange, 'selection' | 'callId' | 'charge' | 'slot'>;

/** An HTTP request to the connector. A class for the reason given at `RequestCaller`. */
export class RequestExchange implements McpAccess {
  readonly user: SignedIn | null;
  readonly scopes: ReadonlySet<TokenScope>;
  readonly state: RequestState;
  /** The tools that the client asked to see, and how brief answers are. */
  readonly selection: ToolSelection;
  /** The client's id of its only call, if the shared server object answers that call under another id; else null. */
  readonly callId: string | number | null;
  /** Charges points beyond those of the called tools to the same payer. Rejects with `rate_limited`. */
  readonly charge: (points: number) => Promise<void>;
  /** Makes the place of one call among the requests in hand. */
  readonly slot: () => InHandSlot;
  /** The value of Mcp-Session-Id; empty without. */
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

  /** What the client calls itself. */
  get client(): string {
    return clientName(this.#ctx.get('user-agent'));
  }

  /** Aborted when the client disconnects before its answer is sent. */
  get signal(): AbortSignal {
    return (this.#signal ??= whileConnected(
      this.#ctx,
      () => new AppError('cancelled', 'the client has disconnected'),
    ));
  }
}
