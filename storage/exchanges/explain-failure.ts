import { AppError } from '../../compute/model/errors.js';
import type { ExchangeKey, OpenedCcxt } from './open-ccxt.js';

/** The error of a failed request, and whether the failure counts against the exchange. */
export interface ExplainedFailure {
  error: AppError;
  countsAgainstExchange: boolean;
}

const maxMessageLength = 200;

/** Explains the failure of a public request: `exchange_refused` for a wrong request, else `exchange_unavailable`. */
export function explainFailure(cause: unknown, { isRefusal }: OpenedCcxt): ExplainedFailure {
  const refused = isRefusal(cause);
  const code = refused ? 'exchange_refused' : 'exchange_unavailable';
  const error = new AppError(code, shorten((cause as Error).message), { cause });
  return { error, countsAgainstExchange: !refused };
}

/**
 * Explains the failure of a signed request to the owner of the key: `exchange_refused` with `reason` in its details, or
 * `exchange_unavailable`. The error has no cause and repeats neither key nor signature.
 */
export function explainSignedFailure(
  cause: unknown,
  { reasonOf }: OpenedCcxt,
  key: ExchangeKey,
): ExplainedFailure {
  const message = shorten(withoutSecrets((cause as Error).message, key));
  const reason = reasonOf(cause);
  if (reason === 'failure')
    return { error: new AppError('exchange_unavailable', message), countsAgainstExchange: true };
  const error = new AppError('exchange_refused', message, { details: { reason } });
  return { error, countsAgainstExchange: false };
}

const shorten = (text: string) =>
  text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;

/** Errors of ccxt contain the address with the signature, and the answer. */
function withoutSecrets(text: string, { apiKey, secret, passphrase }: ExchangeKey): string {
  const known = [apiKey, secret, passphrase ?? ''].filter((each) => each !== '');
  const withoutQueries = text.replace(/(https?:\/\/[^\s?]+)\?\S*/g, '$1');
  return known.reduce((rest, each) => rest.replaceAll(each, '***'), withoutQueries);
}
