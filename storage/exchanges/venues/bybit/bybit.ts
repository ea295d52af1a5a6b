import type { bybit as Bybit } from 'ccxt';
import { answerField } from '../../answer-field.js';
import type { ExchangeAnswer } from '../../fetch-whole.js';
import { accountIdOf, openedAccounts } from '../../key-permissions.js';
import { tradesByTime } from '../../trades-by-time.js';
import type { Venue } from '../../venue.js';
import { bybitAnswers } from './bybit-answers.js';
import { bybitLimits } from './bybit-limits.js';
import { bybitStream } from './bybit-stream.js';
import { cursorAfter } from './bybit-trades.js';
import { bybitTrading } from './bybit-trading.js';
import { bybitUserStream } from './bybit-user-stream.js';
import { bybitWallets } from './bybit-wallets.js';

interface KeyInfo {
  readOnly?: unknown;
  userID?: unknown;
  permissions?: { ContractTrade?: unknown; Derivatives?: unknown; Spot?: unknown; Wallet?: unknown };
}

/** Bybit, unified account. */
export const bybit: Venue<Bybit> = {
  id: 'bybit',
  needsPassphrase: false,
  limits: bybitLimits,

  // https://bybit-exchange.github.io/docs/v5/user/apikey-info
  async readPermissions(client) {
    const { result } = (await client.privateGetV5UserQueryApi()) as { result?: KeyInfo };
    const { Spot: spot, Wallet: wallet, ContractTrade, Derivatives } = result?.permissions ?? {};
    if (!Array.isArray(wallet)) return null;
    const isSpot = Array.isArray(spot) && spot.includes('SpotTrade');
    const hasFutures = [ContractTrade, Derivatives].some((names) => Array.isArray(names) && names.length > 0);
    const opened = openedAccounts({ SPOT: isSpot, MARGIN: isSpot, FUTURES: hasFutures });
    const mayTrade = opened.mayTrade && Number(result?.readOnly) === 0;
    const mayWithdraw = wallet.includes('Withdraw');
    return { ...opened, mayTrade, mayWithdraw, ...accountIdOf(result?.userID) };
  },

  answers: bybitAnswers,
  trading: bybitTrading,
  stream: bybitStream,
  userStream: bybitUserStream,

  wallets: bybitWallets,

  // ccxt asks for the kind of account before its first order: nothing but the order is sent for an order.
  prepareClient(client) {
    const parse = client.parseBalance.bind(client);
    client.parseBalance = (response: WalletAnswer) => parse(withoutDeprecated(response));
    return client.isUnifiedEnabled();
  },

  readTrades: tradesByTime({
    pageSize: 100,
    windowDays: 7,
    historyDays: 84,
    after(page) {
      const cursor = cursorAfter(page);
      return cursor === '' ? 'nothing' : { params: { cursor } };
    },
  }),

  // "The API rate limit is per second per UID" (10006); an address that sends too much is locked out for ten minutes.
  readLimit(answer) {
    const { status, body } = answer;
    if (status === 403) return /access too frequent/i.test(body()) ? lockedOut : null;
    if (status === 429) return { scope: 'key' };
    const code = answerField(answer, 'retCode');
    if (code === '10006') return { scope: 'key', pauseMs: untilReset(answer) };
    return code === '10009' || code === '10018' ? lockedOut : null;
  },
};

const lockedOut = { scope: 'address', pauseMs: 600_000 } as const;
const shortestPauseMs = 1_000;

/** The time until the window of the account ends, by the exchange's clock. */
function untilReset({ headers, dateMs }: ExchangeAnswer): number {
  const resetMs = Number(headers.get('x-bapi-limit-reset-timestamp') ?? 0);
  return Math.max(shortestPauseMs, resetMs - (dateMs ?? Date.now()));
}

interface WalletAnswer {
  result?: { list?: { coin?: Record<string, unknown>[] }[] };
}

/** `availableToWithdraw` is deprecated for unified accounts; without it ccxt tells what orders and positions leave free. */
function withoutDeprecated(response: WalletAnswer): WalletAnswer {
  for (const { coin = [] } of response.result?.list ?? [])
    for (const each of coin) delete each.availableToWithdraw;
  return response;
}
