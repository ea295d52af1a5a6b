import type { ParameterizedContext } from 'koa';
import { activePositions } from '../operations/exchanges/active-positions.js';
import { assessRisk, assessTradeRisk, riskCalibration } from '../operations/analysis/assess-risk.js';
import { backtest, sweep } from '../operations/analysis/backtest.js';
import {
  backtestEquity,
  runEquity,
  backtestTrades,
  runTrades,
} from '../operations/backtests/backtest-tables.js';
import { askPasswordReset, resetPassword, changePassword } from '../operations/account/passwords.js';
import { askVerification, verifyEmail, signUp } from '../operations/account/sign-up.js';
import { checkStrategy } from '../operations/research/check-strategy.js';
import { researchSweep, researchWalkForward } from '../operations/research/research-sweep.js';
import { deleteRun, getRun, listRuns } from '../operations/research/research-runs.js';
import { runLuck, runMonteCarlo } from '../operations/backtests/run-luck.js';
import { researchBacktest } from '../operations/research/research-backtest.js';
import { chart } from '../operations/analysis/chart.js';
import { channelPerformance, listChannels } from '../operations/signals/channels.js';
import { checkSignal, validateSignalV1, validateSignalV2 } from '../operations/signals/validate-signal.js';
import { closedCandles } from '../operations/analysis/closed-candles.js';
import { connectExchange, disconnectExchange } from '../operations/exchanges/connect-exchange.js';
import { dataStatus } from '../operations/analysis/data-status.js';
import {
  changeBacktest,
  deleteBacktest,
  listBacktests,
  getBacktest,
} from '../operations/backtests/stored-backtests.js';
import {
  getSharedBacktest,
  shareBacktest,
  unshareBacktest,
} from '../operations/backtests/shared-backtests.js';
import { exchangeRules } from '../operations/exchanges/exchange-rules.js';
import { endSessions, listSessions, getSession, endSession } from '../operations/account/sessions.js';
import { flipIntelligence } from '../operations/analysis/flip-intelligence.js';
import { getPrice, lastPrices } from '../operations/analysis/prices.js';
import { listExchanges } from '../operations/exchanges/list-exchanges.js';
import { loginIdp, login, logout } from '../operations/account/login.js';
import { allAnalyses } from '../../compute/analyses.js';
import { analysisOperation } from '../operations/analysis/analysis-operation.js';
import { askAssistant, askGuestAssistant } from '../operations/assistant/ask-assistant.js';
import {
  deleteConversation,
  readConversation,
  listConversations,
} from '../operations/assistant/conversations.js';
import { marketTable } from '../operations/analysis/market-table.js';
import { listAnalyses, listIndicators, listStrategies } from '../operations/analysis/list-catalogues.js';
import { listAssets } from '../operations/analysis/list-assets.js';
import { listLeaderboards, strategyLeaderboard } from '../operations/analysis/leaderboards.js';
import { portfolio } from '../operations/analysis/portfolio.js';
import { supportedExchanges } from '../operations/exchanges/supported-exchanges.js';
import {
  cancelJob,
  operatorActivity,
  runScheduleNow,
  dropDeadLetter,
  retryDeadLetters,
  retryDeadLetter,
} from '../operations/operator/operator-commands.js';
import { clusterState } from '../operations/operator/cluster-state.js';
import { deleteAccount } from '../operations/account/delete-account.js';
import { getPreferences, putPreferences } from '../operations/account/preferences.js';
import { getUsage, getAccountAccess } from '../operations/account/get-account-access.js';
import { listAudit } from '../operations/account/list-audit.js';
import { getEquity } from '../operations/ledger/get-equity.js';
import { getProfits } from '../operations/ledger/get-profits.js';
import { listPartnerChannels, listTrades } from '../operations/ledger/trade-fields.js';
import { getBacktestResult } from '../operations/backtests/get-backtest-result.js';
import { getBalances } from '../operations/portfolio/get-balances.js';
import { getPortfolioRisk } from '../operations/portfolio/get-portfolio-risk.js';
import { getPositionDetails } from '../operations/portfolio/get-position-details.js';
import { getPortfolioStatus } from '../operations/portfolio/get-portfolio-status.js';
import {
  addDca,
  addRebuy,
  addTrailingStop,
  cancelSignal,
  closeSignal,
} from '../operations/signals/signal-commands.js';
import { addTakeProfit } from '../operations/signals/add-take-profit.js';
import {
  addSubscription,
  changeSubscription,
  removeSubscription,
} from '../operations/signals/subscriptions.js';
import { createSignalV1, createSignalV2 } from '../operations/signals/create-signal.js';
import { getFollowedSignal, listFollowedSignals } from '../operations/signals/followed-signals.js';
import { getOrder, listOrders } from '../operations/signals/orders.js';
import { getPartnerSignal, listPartnerSignals } from '../operations/signals/partner-signals.js';
import { getChannel } from '../operations/signals/get-channel.js';
import { listSubscriptions } from '../operations/signals/list-subscriptions.js';
import { closeAll, pauseTrading, resumeTrading } from '../operations/signals/switch-trading.js';
import { updatePrices } from '../operations/signals/update-prices.js';
import {
  disconnectApp,
  listApps,
  createToken,
  revokeToken,
  listTokens,
} from '../operations/tokens/tokens.js';
import {
  changeSavedStrategy,
  deleteSavedStrategy,
  getSavedStrategy,
  listSavedStrategies,
  getSharedStrategy,
  shareStrategy,
  saveStrategy,
} from '../operations/strategies/saved-strategies.js';
import type { Operation } from '../operation.js';
import {
  getPartner,
  addPartnerKey,
  revokePartnerKey,
  addPartnerChannel,
  changePartnerChannel,
} from '../operations/partner/get-partner.js';
import { openStream } from '../operations/live/open-stream.js';
import {
  csvRoute,
  envelopeRoute,
  liveRoute,
  memberRoute,
  partnerRoute,
  signedRoutes,
  type Route,
} from './route.js';

/** The routes of an operation that lists what can be requested: GET and POST. */
const listRoutes = <Input, Output>(operation: Operation<Input, Output>): Route[] =>
  (['GET', 'POST'] as const).map((method) =>
    envelopeRoute(method, `/backend/analysis/${operation.id}`, operation),
  );

/** Every operation served over HTTP. Routes without an operation (health, pages, documentation) are in index.ts. */
export const routeTable: readonly Route[] = [
  envelopeRoute('POST', '/backend/login', login, platformOf),
  envelopeRoute('POST', '/backend/login/idp', loginIdp, platformOf),
  envelopeRoute('POST', '/backend/signup', signUp),
  envelopeRoute('POST', '/backend/logout', logout),
  envelopeRoute('GET', '/backend/session', getSession),
  envelopeRoute('GET', '/backend/sessions', listSessions),
  envelopeRoute('POST', '/backend/sessions/end', endSessions),
  envelopeRoute('DELETE', '/backend/sessions/:id', endSession),
  envelopeRoute('POST', '/backend/password', changePassword),
  envelopeRoute('POST', '/backend/password/forgot', askPasswordReset),
  envelopeRoute('POST', '/backend/password/reset', resetPassword),
  envelopeRoute('POST', '/backend/verify-email', verifyEmail),
  envelopeRoute('POST', '/backend/verify-email/send', askVerification),
  envelopeRoute('GET', '/backend/tokens', listTokens),
  envelopeRoute('POST', '/backend/tokens', createToken),
  envelopeRoute('DELETE', '/backend/tokens/:id', revokeToken),
  envelopeRoute('GET', '/backend/apps', listApps),
  envelopeRoute('DELETE', '/backend/apps/:id', disconnectApp),
  envelopeRoute('GET', '/backend/account', getAccountAccess),
  envelopeRoute('POST', '/backend/account/delete', deleteAccount),
  envelopeRoute('GET', '/backend/audit', listAudit),
  envelopeRoute('GET', '/backend/preferences', getPreferences),
  envelopeRoute('PUT', '/backend/preferences', putPreferences),
  envelopeRoute('GET', '/backend/usage', getUsage),

  envelopeRoute('GET', '/backend/market', marketTable),
  liveRoute('GET', '/backend/stream', openStream),

  envelopeRoute('POST', '/backend/core-line/chart', chart),
  envelopeRoute('POST', '/backend/core-line/flip-intelligence', flipIntelligence),
  envelopeRoute('POST', '/backend/core-line/backtest', backtest),
  envelopeRoute('POST', '/backend/core-line/portfolio', portfolio),

  ...listRoutes(listAnalyses),
  ...listRoutes(listAssets),
  ...listRoutes(listIndicators),
  ...listRoutes(listLeaderboards),
  ...listRoutes(listStrategies),
  ...allAnalyses.map((analysis) =>
    envelopeRoute('POST', `/backend/analysis/${analysis.name}`, analysisOperation(analysis)),
  ),

  envelopeRoute('POST', '/backend/analysis/assess-risk', assessTradeRisk),
  envelopeRoute('POST', '/backend/analysis/candles', closedCandles),
  envelopeRoute('POST', '/backend/analysis/channel-performance', channelPerformance),
  envelopeRoute('POST', '/backend/analysis/data-status', dataStatus),
  envelopeRoute('POST', '/backend/analysis/exchange-rules', exchangeRules),
  envelopeRoute('POST', '/backend/analysis/prices', lastPrices),
  envelopeRoute('POST', '/backend/analysis/strategy-leaderboard', strategyLeaderboard),
  ...listRoutes(supportedExchanges),
  envelopeRoute('POST', '/backend/analysis/validate-signal', checkSignal),
  envelopeRoute('POST', '/backend/analysis/risk-calibration', riskCalibration),
  envelopeRoute('POST', '/backend/analysis/sweep', sweep),

  envelopeRoute('POST', '/backend/research/check', checkStrategy),
  envelopeRoute('POST', '/backend/research/backtest', researchBacktest),
  envelopeRoute('POST', '/backend/research/sweep', researchSweep),
  envelopeRoute('POST', '/backend/research/walk-forward', researchWalkForward),
  envelopeRoute('GET', '/backend/research/runs', listRuns),
  envelopeRoute('GET', '/backend/research/runs/:id', getRun),
  envelopeRoute('POST', '/backend/research/runs/:id/monte-carlo', runLuck),
  csvRoute('GET', '/backend/research/runs/:id/trades.csv', runTrades),
  csvRoute('GET', '/backend/research/runs/:id/equity.csv', runEquity),
  envelopeRoute('DELETE', '/backend/research/runs/:id', deleteRun),

  envelopeRoute('POST', '/backend/assistant/chat', askAssistant),
  envelopeRoute('POST', '/backend/assistant/guest-chat', askGuestAssistant),
  envelopeRoute('GET', '/backend/conversations', listConversations),
  envelopeRoute('GET', '/backend/conversations/:id', readConversation),
  envelopeRoute('DELETE', '/backend/conversations/:id', deleteConversation),

  envelopeRoute('GET', '/backend/activepositions', activePositions),
  envelopeRoute('GET', '/backend/portfolio', getPortfolioStatus),
  envelopeRoute('POST', '/backend/portfolio/risk', getPortfolioRisk),
  envelopeRoute('GET', '/backend/positions/:asset', getPositionDetails),
  envelopeRoute('GET', '/backend/balances', getBalances),
  envelopeRoute('GET', '/backend/exchanges', listExchanges),
  envelopeRoute('POST', '/backend/exchanges', connectExchange),
  envelopeRoute('DELETE', '/backend/exchanges/:exchange', disconnectExchange),

  envelopeRoute('GET', '/backend/backtests', listBacktests),
  envelopeRoute('GET', '/backend/backtest-result', getBacktestResult),
  envelopeRoute('POST', '/backend/backtests/:id/monte-carlo', runMonteCarlo),
  envelopeRoute('GET', '/backend/backtests/:id', getBacktest),
  csvRoute('GET', '/backend/backtests/:id/trades.csv', backtestTrades),
  csvRoute('GET', '/backend/backtests/:id/equity.csv', backtestEquity),
  envelopeRoute('PATCH', '/backend/backtests/:id', changeBacktest),
  envelopeRoute('DELETE', '/backend/backtests/:id', deleteBacktest),
  envelopeRoute('POST', '/backend/backtests/:id/share', shareBacktest),
  envelopeRoute('DELETE', '/backend/backtests/:id/share', unshareBacktest),
  envelopeRoute('GET', '/backend/shared/:token', getSharedBacktest),

  envelopeRoute('GET', '/backend/strategies', listSavedStrategies),
  envelopeRoute('POST', '/backend/strategies', saveStrategy),
  envelopeRoute('GET', '/backend/strategies/shared/:hash', getSharedStrategy),
  envelopeRoute('GET', '/backend/strategies/:id', getSavedStrategy),
  envelopeRoute('PUT', '/backend/strategies/:id', changeSavedStrategy),
  envelopeRoute('DELETE', '/backend/strategies/:id', deleteSavedStrategy),
  envelopeRoute('POST', '/backend/strategies/:id/share', shareStrategy),

  envelopeRoute('GET', '/backend/channels', listChannels),
  envelopeRoute('GET', '/backend/channels/:id', getChannel),
  envelopeRoute('GET', '/backend/subscriptions', listSubscriptions),
  envelopeRoute('POST', '/backend/subscriptions', addSubscription),
  envelopeRoute('PATCH', '/backend/subscriptions/:id', changeSubscription),
  envelopeRoute('DELETE', '/backend/subscriptions/:id', removeSubscription),
  envelopeRoute('GET', '/backend/signals', listFollowedSignals),
  envelopeRoute('GET', '/backend/signals/:parent_signal_id', getFollowedSignal),
  envelopeRoute('POST', '/backend/signals/:parent_signal_id/close', closeSignal),
  envelopeRoute('GET', '/backend/orders', listOrders),
  envelopeRoute('GET', '/backend/orders/:id', getOrder),
  envelopeRoute('GET', '/backend/equity', getEquity),
  envelopeRoute('GET', '/backend/pnl', getProfits),
  envelopeRoute('GET', '/backend/trades', listTrades),
  envelopeRoute('POST', '/backend/trading/pause', pauseTrading),
  envelopeRoute('POST', '/backend/trading/resume', resumeTrading),
  envelopeRoute('POST', '/backend/trading/close-all', closeAll),

  envelopeRoute('GET', '/backend/partner', getPartner),
  envelopeRoute('POST', '/backend/partner/channels', addPartnerChannel),
  envelopeRoute('PATCH', '/backend/partner/channels/:id', changePartnerChannel),
  envelopeRoute('POST', '/backend/partner/keys', addPartnerKey),
  envelopeRoute('DELETE', '/backend/partner/keys/:key', revokePartnerKey),
  memberRoute('GET', '/backend/partner/signals', listPartnerSignals),
  memberRoute('POST', '/backend/partner/signals', createSignalV1),
  memberRoute('POST', '/backend/partner/signals/validate', validateSignalV1),
  memberRoute('GET', '/backend/partner/signals/:parent_signal_id', getPartnerSignal),
  memberRoute('POST', '/backend/partner/signals/:parent_signal_id/takeprofit', addTakeProfit),
  memberRoute('POST', '/backend/partner/signals/:parent_signal_id/trailingstop', addTrailingStop),
  memberRoute('POST', '/backend/partner/signals/:parent_signal_id/rebuy', addRebuy),
  memberRoute('POST', '/backend/partner/signals/:parent_signal_id/dca', addDca),
  memberRoute('PUT', '/backend/partner/signals/:parent_signal_id/prices', updatePrices),
  memberRoute('DELETE', '/backend/partner/signals/:parent_signal_id', cancelSignal),

  partnerRoute('GET', '/v1/channel', listPartnerChannels),
  partnerRoute('POST', '/v1/signal', createSignalV1),
  partnerRoute('POST', '/v2/signal', createSignalV2),
  partnerRoute('POST', '/v1/signal/validate', validateSignalV1),
  partnerRoute('POST', '/v2/signal/validate', validateSignalV2),
  partnerRoute('GET', '/v1/signal', listPartnerSignals),
  partnerRoute('GET', '/v1/signal/:parent_signal_id', getPartnerSignal),
  partnerRoute('POST', '/v1/signal/:parent_signal_id/call/takeprofit', addTakeProfit),
  partnerRoute('POST', '/v1/signal/:parent_signal_id/call/trailingstop', addTrailingStop),
  partnerRoute('POST', '/v1/signal/:parent_signal_id/call/rebuy', addRebuy),
  partnerRoute('POST', '/v1/signal/:parent_signal_id/call/dca', addDca),
  partnerRoute('PUT', '/v1/signal/:parent_signal_id/updateprice', updatePrices),
  partnerRoute('DELETE', '/v1/signal/:parent_signal_id/cancel', cancelSignal),

  ...signedRoutes('/v3/ai/assess_risk', assessRisk),
  ...signedRoutes('/v3/ai/get_price', getPrice),
  envelopeRoute('GET', '/operator/cluster', clusterState),
  envelopeRoute('GET', '/operator/activity', operatorActivity),
  envelopeRoute('POST', '/operator/jobs/cancel', cancelJob),
  envelopeRoute('POST', '/operator/schedules/run', runScheduleNow),
  envelopeRoute('POST', '/operator/dead-letters/retry', retryDeadLetter),
  envelopeRoute('POST', '/operator/dead-letters/retry-all', retryDeadLetters),
  envelopeRoute('POST', '/operator/dead-letters/drop', dropDeadLetter),
];

/** The mobile platform in the x-client-platform header, if there is one; mobile sessions last longer. */
function platformOf(ctx: ParameterizedContext): { platform?: string } {
  const platform = ctx.get('x-client-platform');
  return platform === 'ios' || platform === 'android' ? { platform } : {};
}
