import type { binance as Binance } from 'ccxt';
import { answerField } from '../../answer-field.js';
import type { ExchangeAnswer } from '../../fetch-whole.js';
import { openedAccounts } from '../../key-permissions.js';
import { tradesById } from '../../trades-by-id.js';
import type { Venue } from '../../venue.js';
import { binanceAnswers } from './binance-answers.js';
import { binanceLimits } from './binance-limits.js';
import { binanceStream } from './binance-stream.js';
import { binanceTrading } from './binance-trading.js';
import { binanceUserStream } from './binance-user-stream.js';
import { binanceWallets } from './binance-wallets.js';

const objection =
  'signals are not executed on portfolio margin accounts of binance; use an account without portfolio margin';

/** Binance. Accounts are read on spot. */
export const binance: Venue<Binance> = {
  id: 'binance',
  needsPassphrase: false,
  limits: binanceLimits,

  async readPermissions(client) {
    const answer = (await client.sapiGetAccountApiRestrictions()) as Record<string, unknown>;
    const { enableWithdrawals, enableSpotAndMarginTrading, enablePortfolioMarginTrading } = answer;
    if (typeof enableWithdrawals !== 'boolean') return null;
    const isSpot = enableSpotAndMarginTrading === true;
    const permissions = {
      mayWithdraw: enableWithdrawals,
      ...openedAccounts({
        SPOT: isSpot,
        MARGIN: isSpot && answer.enableMargin === true,
        FUTURES: answer.enableFutures === true,
      }),
    };
    // The option exists for keys of such accounts alone.
    return enablePortfolioMarginTrading === true ? { ...permissions, objection } : permissions;
  },

  // https://developers.binance.com/docs/binance-spot-api-docs/rest-api/account-endpoints
  readAccountId: async (client) => ((await client.privateGetAccount()) as { uid?: unknown }).uid,

  readTrades: tradesById({ pageSize: 1_000, paramsFrom: (id) => ({ fromId: id }) }),

  // Three APIs with limits, maintenance and "HTTP Return Codes" of their own: spot, USDS-M futures, and sapi (margin, wallet).
  parts: [
    { name: 'futures', requests: /^[df]api/, probe: (client) => client.fapiPublicGetPing() },
    { name: 'sapi', requests: /^sapi/, probe: (client) => client.sapiGetSystemStatus() },
  ],

  // 418 is a ban of the address. 429 says by its headers what was counted: the weight of the address, or that of the account.
  readLimit(answer) {
    if (answer.status === 418) return { scope: 'address' };
    if (answer.status !== 429) return null;
    // "Too many new orders; current limit is %s orders per %s": of the account, in one of the parts.
    if (answerField(answer, 'code') === '-1015') return { scope: 'orders', pauseMs: ordersPauseMs };
    return { scope: isByAddress(answer) ? 'address' : 'key' };
  },

  answers: binanceAnswers,
  trading: binanceTrading,
  stream: binanceStream,
  userStream: binanceUserStream,

  wallets: binanceWallets,
};

/** The window of the shorter limit of orders. */
const ordersPauseMs = 10_000;

const usedByAddress = /^x-(mbx-used-weight|sapi-used-ip-weight)/;
const usedByAccount = 'x-sapi-used-uid-weight';

/** Code -1003 is too much weight. */
function isByAddress(answer: ExchangeAnswer): boolean {
  const names = [...answer.headers.keys()];
  if (names.some((name) => name.startsWith(usedByAccount))) return false;
  return answerField(answer, 'code') === '-1003' || names.some((name) => usedByAddress.test(name));
}
