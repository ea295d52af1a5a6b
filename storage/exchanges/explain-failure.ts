import { AppError } from '../../compute/model/errors.js';
import { answerMeaning } from './answer-meaning.js';
import type { ExchangeAnswer } from './fetch-whole.js';
import type { ExchangeKey, OpenedCcxt } from './open-ccxt.js';
import { exchangeRefused } from './venue-answers.js';

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

/** What was sent for a failed request, and the answer to the last of it; null if there was none. */
export interface FailedSending {
  sent: number;
  answer: ExchangeAnswer | null;
}

/** What drivers say where no connection was made, or it broke. */
const unreached =
  /getaddrinfo|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|fetch failed|socket hang up|other side closed|certificate/i;

/** The message of an error for people: the words of a driver say nothing to them. */
function plainMessage(cause: unknown, name: string): string {
  const said = [cause, (cause as Error).cause].map((each) =>
    String((each as Error | undefined)?.message ?? ''),
  );
  if (said.some((each) => unreached.test(each))) return `${name} can't be reached from here`;
  return shorten(said[0]);
}

/** Explains the failure of a public request: `exchange_refused` for a wrong request, else `exchange_unavailable`. */
export function explainFailure(
  cause: unknown,
  { isRefusal, exchange }: OpenedCcxt,
  { answer }: FailedSending,
): ExplainedFailure {
  const refused = isRefusal(cause) && !(answer && answer.status >= 500);
  const code = refused ? 'exchange_refused' : 'exchange_unavailable';
  const message = answer ? shorten((cause as Error).message) : plainMessage(cause, titleOf(exchange));
  const error = new AppError(code, message, { cause });
  return { error, verdict: refused ? 'serves' : 'failed', reason: error.message };
}

/**
 * Explains the failure of a signed request to the owner of the key: `exchange_refused` with a `reason` in its details ("key",
 * "absent" or "request"), or `exchange_unavailable`, whose reason may be "clock". What the answer means decides, never ccxt, which
 * guesses from words anywhere in the body. The error has no cause and repeats neither key nor signature. Only a status of 500 or
 * more, or no answer, shows that the exchange fails: any other answer may concern this key alone.
 */
export function explainSignedFailure(
  cause: unknown,
  { exchange }: Pick<OpenedCcxt, 'exchange'>,
  { key, sent, answer }: FailedSending & { key: ExchangeKey },
): ExplainedFailure {
  const message = withoutSecrets(plainMessage(cause, titleOf(exchange)), key);
  const meaning = answer ? answerMeaning(exchange.id, answer) : sent === 0 ? 'refused' : 'unknown';
  if (meaning === 'unknown' || meaning === 'busy' || meaning === 'clock')
    return {
      error: new AppError('exchange_unavailable', message, {
        details: meaning === 'clock' ? { reason: meaning } : {},
      }),
      verdict: !answer || answer.status >= 500 ? 'failed' : 'nothing',
      reason: answer ? `it answers with status ${answer.status}` : 'it does not answer',
    };
  const reason = meaning === 'key' || meaning === 'absent' ? meaning : 'request';
  return { error: exchangeRefused(message, reason), verdict: 'nothing', reason };
}

const titleOf = ({ name, id }: OpenedCcxt['exchange']): string => name ?? id;

const shorten = (text: string) =>
  text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;

/** Errors of ccxt contain the address with the signature, and the answer. */
function withoutSecrets(text: string, { apiKey, secret, passphrase }: ExchangeKey): string {
  const known = [apiKey, secret, passphrase ?? ''].filter((each) => each !== '');
  const withoutQueries = text.replace(/(https?:\/\/[^\s?]+)\?\S*/g, '$1');
  return known.reduce((rest, each) => rest.replaceAll(each, '***'), withoutQueries);
}
