import { defineTool, type Tool } from '../tool.js';
import { askAssistant, askGuestAssistant } from '../../operations/assistant/ask-assistant.js';
import { countOf } from '../../../compute/model/count-of.js';
import { getAccountAccess } from '../../operations/account/get-account-access.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { getBalances } from '../../operations/portfolio/get-balances.js';
import { getConversation } from '../../operations/assistant/conversations.js';
import { getEquity } from '../../operations/ledger/get-equity.js';
import { getProfits } from '../../operations/ledger/get-profits.js';
import { getPortfolioRisk } from '../../operations/portfolio/get-portfolio-risk.js';
import { getPortfolioStatus } from '../../operations/portfolio/get-portfolio-status.js';
import { getPositionDetails } from '../../operations/portfolio/get-position-details.js';
import { listExchanges } from '../../operations/exchanges/list-exchanges.js';
import { listTrades } from '../../operations/ledger/trade-fields.js';

interface BookAnswer {
  value: number | null;
  tail95: { varPercent: number | null } | null;
}

/** The parts of the answer that the headline reads; the risk of a book is described by its analysis. */
interface RiskAnswer {
  before: BookAnswer;
  after: BookAnswer | null;
  leverage: { before: number | null; after: number | null };
  labels: { riskProfile: string | null }[];
  notes: string[];
}

const orUnknown = (value: number | null): string => (value === null ? 'unknown' : formatNumber(value));

/** Tools of the user: access, balances, positions, profits and conversations. */
export const accountTools: readonly Tool[] = [
  defineTool({
    name: 'ask_assistant',
    operation: askAssistant,
    headline: ({ response }) => response,
  }),
  defineTool({
    name: 'ask_guest_assistant',
    operation: askGuestAssistant,
    headline: ({ response }) => response,
  }),
  defineTool({
    name: 'get_account_access',
    operation: getAccountAccess,
    headline: ({ plan, points, sessions, tokens, apps }) =>
      `Plan ${plan}: ${points.used} of ${points.limit} points used this minute; ${countOf(sessions.length, 'session')}, ${countOf(tokens.length, 'access token')}, ${countOf(apps.length, 'connected app')}.`,
  }),
  defineTool({
    name: 'get_balances',
    operation: getBalances,
    headline: ({ balances, totalValue, hidden, unpriced, unread }) => {
      const small = hidden === 0 ? '' : `; ${countOf(hidden, 'smaller one is', 'smaller ones are')} hidden`;
      const none = unpriced.length === 0 ? '' : `; no price of ${unpriced.join(', ')}`;
      const old =
        unread.length === 0
          ? ''
          : ` Not read the last time: ${unread.map(({ exchange, account }) => `${exchange} ${account}`).join(', ')}.`;
      return `${countOf(balances.length, 'balance')}, worth ${formatNumber(totalValue)} USDT together${small}${none}.${old}`;
    },
  }),
  defineTool({
    name: 'get_conversation',
    operation: getConversation,
    headline: ({ conversation, messages, conversations }) => {
      if (conversation)
        return `The last ${countOf(messages.length, 'message')} of a conversation with ${countOf(conversation.turns, 'question')}.`;
      return conversations.length === 0
        ? 'You have no conversations yet.'
        : `${countOf(conversations.length, 'conversation')}, the newest first.`;
    },
  }),
  defineTool({
    name: 'get_equity_curve',
    operation: getEquity,
    headline: ({ days, returnPercent, maxDrawdownPercent, benchmark, benchmarkReturnPercent }) => {
      const last = days.at(-1);
      if (!last || returnPercent === null)
        return last
          ? `${formatNumber(Number(last.value))} USDT now; no earlier day is stored, so there is no return yet.`
          : 'No account is stored yet.';
      const fall =
        maxDrawdownPercent === null ? '' : `, max drawdown ${formatNumber(maxDrawdownPercent, 4)} %`;
      const held =
        benchmarkReturnPercent === null
          ? ''
          : `; holding ${benchmark} ${formatNumber(benchmarkReturnPercent, 4)} %`;
      const unread =
        last.incomplete.length === 0 ? '' : ` Not read the last time: ${last.incomplete.join(', ')}.`;
      return `${formatNumber(Number(last.value))} USDT ${last.isNow ? 'now' : `on ${last.day}`}; return ${formatNumber(returnPercent, 4)} % since ${days[0].day} without deposits and withdrawals${fall}${held}.${unread}`;
    },
  }),
  defineTool({
    name: 'get_pnl_summary',
    operation: getProfits,
    headline: ({ totals, groupBy, since, isComplete }) => {
      if (totals.length === 0) return `No trade closed since ${since.slice(0, 10)}, and nothing is open.`;
      const parts = totals.map(({ tradeMarket, profit, unrealised, trades, winRatePercent }) => {
        const open = unrealised === null ? '' : `, ${formatNumber(unrealised)} unrealised`;
        const wins = winRatePercent === null ? '' : `, ${formatNumber(winRatePercent, 4)} % of them won`;
        return `${formatNumber(Number(profit))} ${tradeMarket} realised net of fees in ${countOf(trades, 'trade')}${wins}${open}`;
      });
      const cut = isComplete ? '' : ' Only the newest 20000 trades are counted.';
      return `Since ${since.slice(0, 10)}, by ${groupBy}: ${parts.join('; ')}.${cut}`;
    },
  }),
  defineTool({
    name: 'get_portfolio_risk',
    operation: getPortfolioRisk,
    headline: (payload) => {
      const { before, after, leverage, labels, notes } = payload as unknown as RiskAnswer;
      const risky = labels.filter(({ riskProfile }) => riskProfile === 'tooRisky').length;
      const state = (risk: BookAnswer, times: number | null) =>
        `${orUnknown(risk.value)} USDT, 1-day VaR 95 % ${orUnknown(risk.tail95?.varPercent ?? null)} %, leverage ${orUnknown(times)}`;
      const changed = after ? `; after the changes ${state(after, leverage.after)}` : '';
      const debts = notes.filter((each) => each.startsWith('the changes')).map((each) => `; ${each}`);
      return `Portfolio of ${state(before, leverage.before)}; ${risky} of ${labels.length} positions are too risky now${changed}${debts.join('')}.`;
    },
  }),
  defineTool({
    name: 'get_portfolio_status',
    operation: getPortfolioStatus,
    headline: ({ summary: { count, conflicts, value, pnl }, positions }) => {
      if (count === 0) return 'No open positions on any connected account.';
      const against = positions
        .filter(({ conflict }) => conflict)
        .map(({ asset, side }) => `${side} ${asset}`);
      const named = conflicts === 0 ? 'none against' : `${conflicts} against`;
      return `${countOf(count, 'open position')} worth ${formatNumber(value)} USDT, unrealised ${formatNumber(pnl)} USDT; ${named} the trend state of the asset${against.length === 0 ? '' : `: ${[...new Set(against)].slice(0, 8).join(', ')}`}.`;
    },
  }),
  defineTool({
    name: 'get_position_details',
    operation: getPositionDetails,
    headline: ({ asset, positions }) => {
      if (positions.length === 0)
        return `No open position in ${asset}; get_portfolio_status lists the open positions.`;
      const parts = positions.map(({ side, quantity, exchange, account, pnl, signals }) => {
        const stop = signals.flatMap(({ levels }) => levels).find(({ kind }) => kind.includes('stop'));
        return `${side} ${formatNumber(quantity)} on ${exchange} ${account}, unrealised ${pnl === null ? 'unknown' : `${formatNumber(pnl)} USDT`}, ${stop ? `stop at ${stop.price}` : 'no stop'}`;
      });
      return `${asset}: ${parts.join('; ')}.`;
    },
  }),
  defineTool({
    name: 'list_exchange_connections',
    operation: listExchanges,
    headline: ({ exchanges }) => {
      const faulty = exchanges.filter(({ fault }) => fault !== null).map(({ exchange }) => exchange);
      const state =
        faulty.length === 0
          ? 'all were read without a fault'
          : `${faulty.join(', ')} could not be read last time`;
      return `${countOf(exchanges.length, 'connected account')}, the paper account included; ${state}. No key may withdraw.`;
    },
  }),
  defineTool({
    name: 'list_trades',
    operation: listTrades,
    headline: ({ trades, nextCursor }, { asset }) => {
      const of = typeof asset === 'string' ? ` of ${asset}` : '';
      const won = trades.filter(({ profit }) => Number(profit) > 0).length;
      return `${countOf(trades.length, 'closed trade')}${of}, the last first, ${won} of them with a profit${nextCursor === null ? '' : '; more with next_cursor'}.`;
    },
  }),
];
