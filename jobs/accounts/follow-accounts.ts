import { AccountFollower } from './account-follower.js';
import { PositionFollower } from './position-follower.js';
import { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import { UserExchanges } from '../../storage/accounts/user-exchanges.js';
import type { RunningRole } from '../../storage/process/role.js';
import type { MarketContext } from '../market/follow-ccxt.js';

/** The running followers of accounts and positions, and the exchanges that they use. */
export interface RunningAccounts extends RunningRole {
  exchanges: OpenExchanges;
}

/** Reads the connected accounts of users and keeps their positions at current prices. */
export function followAccounts({ settings, storage, redis, log }: MarketContext): RunningAccounts {
  const end = new AbortController();
  const { signal } = end;
  const users = new UserExchanges(settings, storage, redis);
  const exchanges = new OpenExchanges({ settings, known: users.exchanges, redis, signal });
  const tools = { storage, redis, users, exchanges, log, signal };
  const accounts = new AccountFollower({ ...tools, pollMs: settings.ACCOUNT_POLL_SECONDS * 1000 });
  const tickMs = settings.MARKET_TICK_SECONDS * 1000;
  const positions = new PositionFollower({ ...tools, market: settings.MARKET, tickMs });
  accounts.start();
  positions.start();
  return {
    exchanges,
    async close() {
      end.abort();
      await Promise.all([accounts.ended(), positions.ended()]);
    },
  };
}
