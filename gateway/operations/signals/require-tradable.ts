import { AppError } from '../../../compute/model/errors.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import { openKey } from '../../../storage/exchanges/open-key.js';
import { findVenue } from '../../../storage/exchanges/venues/index.js';
import type { Caller, Deps } from '../../context.js';
import { tryKeyOnWorker } from '../exchanges/try-key-on-worker.js';

/**
 * Throws `invalid_input` for an exchange on which no orders of the user can be placed: one that is not traded, not connected, or
 * connected with a key that may not trade or may withdraw, or with an account of a kind that is not traded on. The key is tried.
 */
export async function requireTradable(exchange: string, deps: Deps, caller: Caller): Promise<void> {
  const { exchanges: known } = deps.exchanges;
  known.requireName(exchange);
  if (exchange === paperName) return;
  if (deps.settings.LIVE_TRADING === 'off')
    throw refused(`"exchange" must be ${paperName}: live trading is off, found "${exchange}"`);
  if (!findVenue(known.entry(exchange).id)?.trading)
    throw refused(`"exchange" must be one on which signals are executed; on "${exchange}" they are not yet`);
  const connection = await deps.storage.connections.find(caller.user!.userId, exchange);
  if (!connection)
    throw refused(`"${exchange}" is not connected; connect it with a key that may trade first`);
  const key = await openKey(await known.box(), connection, deps.storage.connections);
  const { mayTrade, objection } = await tryKeyOnWorker(deps, caller)(exchange, key);
  if (!mayTrade)
    throw refused(`the key of "${exchange}" may not trade; connect it again with one that may trade`);
  if (objection !== undefined) throw refused(objection);
}

const refused = (message: string): AppError =>
  new AppError('invalid_input', message, { details: { field: 'exchange' } });
