import type { kucoin as Kucoin } from 'ccxt';
import { answerField } from '../../answer-field.js';
import { accountIdOf, openedAccounts } from '../../key-permissions.js';
import { tradesByTime } from '../../trades-by-time.js';
import type { Venue } from '../../venue.js';
import { kucoinAnswers } from './kucoin-answers.js';
import { kucoinLimits } from './kucoin-limits.js';
import { kucoinStream } from './kucoin-stream.js';
import { lowestRowId } from './kucoin-trades.js';
import { kucoinTrading } from './kucoin-trading.js';
import { kucoinUserStream } from './kucoin-user-stream.js';
import { kucoinWallets } from './kucoin-wallets.js';

/** The window of its pools. */
const poolMs = 30_000;

/** KuCoin: the classic, the high-frequency and the unified account. */
export const kucoin: Venue<Kucoin> = {
  id: 'kucoin',
  needsPassphrase: true,
  limits: kucoinLimits,

  // https://www.kucoin.com/docs-new/rest/account-info/account-funding/get-apikey-info
  async readPermissions(client) {
    const { data } = (await client.privateGetUserApiKey()) as {
      data?: { permission?: unknown; uid?: unknown };
    };
    if (typeof data?.permission !== 'string') return null;
    const names = data.permission.split(',').map((name) => name.trim().toLowerCase());
    // "Transfer" ("Flex Transfers") moves money out of the account too; "InnerTransfer" moves it within the account.
    const mayWithdraw = names.some((name) => name !== 'innertransfer' && /transfer|withdraw/.test(name));
    const opened = openedAccounts({
      SPOT: names.includes('spot') || names.includes('trade'),
      MARGIN: names.includes('margin'),
      FUTURES: names.includes('futures'),
    });
    return { ...opened, mayWithdraw, ...accountIdOf(data?.uid) };
  },

  // The classic account names the page size `pageSize`, which ccxt does not send: a default page of 50 would look like the last.
  readTrades: tradesByTime({
    pageSize: 100,
    windowDays: 7,
    historyDays: 84,
    params: { pageSize: 100 },
    after(page) {
      const lastId = lowestRowId(page);
      return lastId === '' ? 'unknown' : { params: { lastId } };
    },
  }),

  // "Base URL": spot and futures are two hosts, each with pools of its own.
  parts: [{ name: 'futures', requests: /^futures/, probe: (client) => client.futuresPublicGetTimestamp() }],

  // Signed requests count against a limit of their user (429000, 200002); all requests of an address against another (error 1015).
  readLimit(answer) {
    const { status, headers, body } = answer;
    if (status === 429 && /error code: ?1015/.test(body())) return { scope: 'address', pauseMs: 30_000 };
    const isByKey =
      status === 429 ||
      ['429000', '200002'].includes(answerField(answer, 'code')) ||
      answerField(answer, 'msg').startsWith('Exceeded the access frequency');
    const resetMs = headers.get('gw-ratelimit-reset');
    if (!isByKey) return null;
    return { scope: 'key', pauseMs: resetMs && /^\d+$/.test(resetMs) ? Number(resetMs) : poolMs };
  },

  // ccxt learns which kind of account this is only when it loads the markets with a key; here they are loaded without one.
  // It asks whether the account is unified before the first order: nothing but the order is sent for an order.
  prepareClient: (client) => Promise.all([client.loadMigrationStatus(), client.isUTAEnabled()]),

  answers: kucoinAnswers,
  trading: kucoinTrading,
  stream: kucoinStream,
  userStream: kucoinUserStream,

  wallets: kucoinWallets,
};
