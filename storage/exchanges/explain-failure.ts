import { AppError } from '../../compute/model/errors.js';
import type { ExchangeKey, OpenedCcxt } from './open-ccxt.js';

/** What a failed request shows about the exchange for all users: it does not serve, it serves, or neither. */
export type Verdict = 'failed' | 'serves' | 'nothing';

/** The error of a failed request, and what it shows about the exchange. */
export interface ExplainedFailure {
  error: AppError;
  verdict: Verdict;
  /** Why the circuit opens, for all users to read. */
  reason: string;
}

const maxMessageLength = 200;

/** Explains the failure of a public request: `exchange_refused` for a wrong request, else `exchange_unavailable`. */
export function explainFailure(cause: unknown, { isRefusal }: OpenedCcxt): ExplainedFailure {
  const refused = isRefusal(cause);
  const code = refused ? 'exchange_refused' : 'exchange_unavailable';
  const error = new AppError(code, shorten((cause as Error).message), { cause });
  return { error, verdict: refused ? 'serves' : 'failed', reason: error.message };
}

/**
 * Explains the failure of a signed request to the owner of the key: `exchange_refused` with `reason` in its details, or
 * `exchange_unavailable`. The error has no cause and repeats neither key nor signature. Only a status of 500 or more, or
 * no answer (`status` null), shows that the exchange fails. Any other status may concern this key alone, even where ccxt reports a
 * network error: a firewall may refuse one key with 403, and ccxt guesses the error from words anywhere in the body.
 */
export function explainSignedFailure(
  cause: unknown,
  { reasonOf }: OpenedCcxt,
  { key, status }: { key: ExchangeKey; status: number | null },
): ExplainedFailure {
  const message = shorten(withoutSecrets((cause as Error).message, key));
  const found = reasonOf(cause);
  const isRefusedHere = found === 'failure' && status !== null && status >= 400 && status < 500;
  const reason = isRefusedHere ? 'request' : found;
  if (reason !== 'failure')
    return {
      error: new AppError('exchange_refused', message, { details: { reason } }),
      verdict: 'nothing',
      reason,
    };
  return {
    error: new AppError('exchange_unavailable', message),
    verdict: status === null || status >= 500 ? 'failed' : 'nothing',
    reason: status === null ? 'it does not answer' : `it answers with status ${status}`,
  };
}

const shorten = (text: string) =>
  text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;

/** Errors of ccxt contain the address with the signature, and the answer. */
function withoutSecrets(text: string, { apiKey, secret, passphrase }: ExchangeKey): string {
  const known = [apiKey, secret, passphrase ?? ''].filter((each) => each !== '');
  const withoutQueries = text.replace(/(https?:\/\/[^\s?]+)\?\S*/g, '$1');
  return known.reduce((rest, each) => rest.replaceAll(each, '***'), withoutQueries);
}
