import type { Asker } from '../../assistant/assistant.js';
import type { Caller } from '../../context.js';
import type { TokenScope } from '../../../storage/users/token-scopes.js';

const noScopes: ReadonlySet<TokenScope> = new Set();

/**
 * The caller as the one who asks the assistant. Reads the signal: a question mostly waits, so that the request no longer
 * counts as in hand.
 */
export function askerOf(caller: Caller): Asker {
  const { requestId, user, address, client, signal, scopes, charge, onProgress, onEvent } = caller;
  return {
    ...{ requestId, user, address, client, signal, onProgress, onEvent },
    scopes: user && scopes ? scopes : noScopes,
    charge: charge ?? (async () => undefined),
  };
}

/** The caller as a guest: no account is in reach. */
export const guestOf = (caller: Caller): Asker => ({ ...askerOf(caller), user: null, scopes: noScopes });
