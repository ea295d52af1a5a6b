import type { ExchangeRefusal } from './book/exchange-refusal.js';
import type { BookAccount, MatchingEngine } from './book/matching-engine.js';
import type { KeyRight } from './key-rights.js';
import type { RequestKind } from './fault-script.js';
import type { Endpoint } from './rest/rest-call.js';
import type { RequestQuota } from './quotas/request-quota.js';
import type { SocketDialect } from './sockets/socket-dialect.js';
import type { PrivateDialect } from './streams/private-dialect.js';
import type { ReceivedRequest } from './rest/signed-account.js';

/** What the exchange sends. */
export interface Answer {
  status: number;
  body: unknown;
}

/** How an exchange speaks: one of these is behind the REST API, and all have the same book. */
export interface ExchangeDialect {
  /** The API key of a request; empty for one without. */
  apiKeyOf(request: ReceivedRequest): string;
  /** How it speaks by websocket. */
  sockets: SocketDialect;
  privateStreams: PrivateDialect;
  /** Its limits, which hold where a test turns them on. */
  quotas: readonly RequestQuota[];
  /** What a request asks for. */
  kindOf(request: ReceivedRequest): RequestKind;
  paramsOf(request: ReceivedRequest): URLSearchParams;
  /** Names of parameters that hold a client order id. */
  clientOrderIdNames: readonly string[];
  /** Endpoints that need no key, by method and path. */
  openEndpoints: Readonly<Record<string, Endpoint>>;
  /** Endpoints that need a signature. */
  signedEndpoints: Readonly<Record<string, Endpoint>>;
  /** The account that signed a request. Throws the refusals of a wrong key, signature or time. */
  signedAccount(request: ReceivedRequest, engine: MatchingEngine, nowMs: number): BookAccount;
  /** What keys and accounts may lack. */
  rights: readonly KeyRight[];
  /** Where in an answer the exchange puts what an endpoint answers. */
  success(result: unknown, nowMs: number): Answer;
  refusal(refusal: ExchangeRefusal, request: ReceivedRequest, nowMs: number): Answer;
  /** The body of an answer that a fault makes. */
  faultBody(code: number, message: string): unknown;
  /** The list in the body of an answer, to be put in disorder; null: none. */
  listIn(body: unknown): unknown[] | null;
}
