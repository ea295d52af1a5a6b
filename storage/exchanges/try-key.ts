import { AppError } from '../../compute/model/errors.js';
import type { ExchangeKey } from './open-ccxt.js';
import type { KeyPermissions } from './key-permissions.js';
import { requireKeyText } from './key-text.js';
import type { OpenExchanges } from './open-exchanges.js';
import { findVenue } from './venues/index.js';

/**
 * Tries a key at its exchange and answers what it may do. The exchange must accept the key, let it read the balance and not
 * let it withdraw. Throws `invalid_input` with the field at fault, `exchange_unavailable`, and the signal's reason once that
 * is aborted: no further request is then sent.
 */
export async function tryKey(
  exchanges: OpenExchanges,
  name: string,
  key: ExchangeKey,
  signal: AbortSignal,
): Promise<KeyPermissions> {
  requireKeyText(key);
  requirePassphrase(exchanges, name, key);
  const end = new AbortController();
  try {
    return await Promise.race([readAccount(exchanges, name, key, signal), aborted(signal, end.signal)]);
  } catch (error) {
    throw explain(name, error);
  } finally {
    end.abort();
  }
}

function requirePassphrase({ known }: OpenExchanges, name: string, { passphrase }: ExchangeKey): void {
  if (!findVenue(known.entry(name).id)?.needsPassphrase || passphrase) return;
  const message = `"passphrase" is required with "${name}"`;
  throw new AppError('invalid_input', message, { details: { field: 'passphrase' } });
}

async function readAccount(
  exchanges: OpenExchanges,
  name: string,
  key: ExchangeKey,
  signal: AbortSignal,
): Promise<KeyPermissions> {
  signal.throwIfAborted();
  const account = await exchanges.accountOf(name, key, 'decide');
  signal.throwIfAborted();
  const permissions = await account.permissions();
  if (permissions.mayWithdraw)
    throw invalidKey(`this key may withdraw from ${name}; make a key that may only read and trade`);
  signal.throwIfAborted();
  await account.balances();
  signal.throwIfAborted();
  return account.withAccountId(permissions);
}

/** Rejects with the signal's reason once it is aborted; stops listening when `end` is aborted. */
const aborted = (signal: AbortSignal, end: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: end }),
  );

function explain(name: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.details.reason === 'clock')
    return new AppError('exchange_unavailable', `the clocks of ${name} and of this service do not agree`);
  if (error.code !== 'exchange_refused') return error;
  if (error.details.reason === 'key') return invalidKey(`${name} does not accept this key: ${error.message}`);
  return invalidKey(`${name} did not let the key be tried: ${error.message}`);
}

const invalidKey = (message: string) =>
  new AppError('invalid_input', message, { details: { field: 'apiKey' } });
