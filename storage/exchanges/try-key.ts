import { AppError } from '../../compute/model/errors.js';
import type { ExchangeKey } from './open-ccxt.js';
import type { KeyPermissions } from './key-permissions.js';
import type { OpenExchanges } from './open-exchanges.js';

/**
 * Tries a key at its exchange and answers what it may do, if it is good for anything and not for too much: it is accepted,
 * reads the balance and may not withdraw. Throws `invalid_input` with the field at fault, `exchange_unavailable`, and the
 * signal's reason once that is aborted: nothing more is then asked.
 */
export async function tryKey(
  exchanges: OpenExchanges,
  name: string,
  key: ExchangeKey,
  signal: AbortSignal,
): Promise<KeyPermissions> {
  const over = new AbortController();
  try {
    return await Promise.race([readAccount(exchanges, name, key, signal), aborted(signal, over.signal)]);
  } catch (error) {
    throw explain(name, error);
  } finally {
    over.abort();
  }
}

async function readAccount(
  exchanges: OpenExchanges,
  name: string,
  key: ExchangeKey,
  signal: AbortSignal,
): Promise<KeyPermissions> {
  signal.throwIfAborted();
  const account = await exchanges.accountOf(name, key);
  signal.throwIfAborted();
  const permissions = await account.permissions();
  if (permissions.mayWithdraw)
    throw invalidKey(`this key may withdraw from ${name}; make one that may read and trade alone`);
  signal.throwIfAborted();
  await account.balances();
  return permissions;
}

/** Rejects with the reason once the signal is aborted, if that is not over by then. */
const aborted = (signal: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: over }),
  );

function explain(name: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'exchange_refused') return error;
  if (error.details.reason === 'clock')
    return new AppError('exchange_unavailable', `the clocks of ${name} and of this service do not agree`);
  if (error.details.reason === 'key') return invalidKey(`${name} does not accept this key: ${error.message}`);
  return invalidKey(`${name} did not let the key be tried: ${error.message}`);
}

const invalidKey = (message: string) =>
  new AppError('invalid_input', message, { details: { field: 'apiKey' } });
