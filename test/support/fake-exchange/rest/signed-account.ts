import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { BookAccount, MatchingEngine } from '../book/matching-engine.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';

/** A request as it arrived. */
export interface ReceivedRequest {
  method: string;
  path: string;
  /** The query without its question mark. */
  query: string;
  body: string;
  headers: IncomingHttpHeaders;
}

/** How far ahead of the exchange a client's clock may be. */
const aheadMs = 1_000;
const defaultWindowMs = 5_000;
const longestWindowMs = 60_000;

/** The account that signed a request. Throws the exchange's refusals of a wrong key, signature or time. */
export function signedAccount(request: ReceivedRequest, engine: MatchingEngine, nowMs: number): BookAccount {
  const key = request.headers['x-mbx-apikey'];
  if (typeof key !== 'string' || !/^[A-Za-z0-9]{8,64}$/.test(key))
    throw new ExchangeRefusal(-2014, 'API-key format invalid.', 401);
  const account = engine.accounts.get(key);
  if (!account) throw new ExchangeRefusal(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
  const [signed, signature] = `${request.query}${request.body}`.split('&signature=');
  const expected = createHmac('sha256', account.setup.secret).update(signed).digest('hex');
  if (signature !== expected) throw new ExchangeRefusal(-1022, 'Signature for this request is not valid.');
  checkTime(new URLSearchParams(signed), nowMs);
  return account;
}

function checkTime(params: URLSearchParams, nowMs: number): void {
  const timestamp = Number(params.get('timestamp'));
  if (!(timestamp > 0))
    throw new ExchangeRefusal(
      -1102,
      "Mandatory parameter 'timestamp' was not sent, was empty/null, or malformed.",
    );
  const windowMs = Number(params.get('recvWindow') ?? defaultWindowMs);
  if (windowMs > longestWindowMs)
    throw new ExchangeRefusal(-1131, "Parameter 'recvWindow' must be less than 60000.");
  if (timestamp >= nowMs + aheadMs)
    throw new ExchangeRefusal(-1021, "Timestamp for this request was 1000ms ahead of the server's time.");
  if (nowMs - timestamp > windowMs)
    throw new ExchangeRefusal(-1021, 'Timestamp for this request is outside of the recvWindow.');
}
