import type { ParameterizedContext } from 'koa';
import { activePositions } from '../operations/exchanges/active-positions.js';
import { assessRisk, assessTradeRisk } from '../operations/analysis/assess-risk.js';
import { backtest } from '../operations/analysis/backtest.js';
import { backtestEquity, runEquity } from '../operations/backtests/backtest-equity.js';
import { backtestTrades } from '../operations/backtests/backtest-trades.js';
import { askPasswordReset } from '../operations/account/ask-password-reset.js';
import { askVerification } from '../operations/account/ask-verification.js';
import { changePassword } from '../operations/account/change-password.js';
import { checkStrategy } from '../operations/research/check-strategy.js';
import { researchSweep } from '../operations/research/research-sweep.js';
import { deleteRun } from '../operations/research/delete-run.js';
import { getRun } from '../operations/research/get-run.js';
import { listRuns } from '../operations/research/list-runs.js';
import { runLuck } from '../operations/research/run-luck.js';
import { runTrades } from '../operations/research/run-trades.js';
import { researchWalkForward } from '../operations/research/research-walk-forward.js';
import { researchBacktest } from '../operations/research/research-backtest.js';
import { chart } from '../operations/analysis/chart.js';
import { channelPerformance } from '../operations/signals/channel-performance.js';
import { checkSignal } from '../operations/signals/check-signal.js';
import { closedCandles } from '../operations/analysis/closed-candles.js';
import { connectExchange } from '../operations/exchanges/connect-exchange.js';
import { dataStatus } from '../operations/analysis/data-status.js';
import { changeBacktest } from '../operations/backtests/change-backtest.js';
import { getSharedBacktest } from '../operations/backtests/get-shared-backtest.js';
import { shareBacktest, unshareBacktest } from '../operations/backtests/share-backtest.js';
import { deleteBacktest } from '../operations/backtests/delete-backtest.js';
import { disconnectExchange } from '../operations/exchanges/disconnect-exchange.js';
import { exchangeRules } from '../operations/exchanges/exchange-rules.js';
import { endSessions } from '../operations/account/end-sessions.js';
import { flipIntelligence } from '../operations/analysis/flip-intelligence.js';
import { getBacktest } from '../operations/backtests/get-backtest.js';
import { getPrice } from '../operations/analysis/get-price.js';
import { listBacktests } from '../operations/backtests/list-backtests.js';
import { listExchanges } from '../operations/exchanges/list-exchanges.js';
import { listSessions } from '../operations/account/list-sessions.js';
import { loginIdp } from '../operations/account/login-idp.js';
import { login } from '../operations/account/login.js';
import { logout } from '../operations/account/logout.js';
import { allAnalyses } from '../../compute/analyses.js';
import { analysisOperation } from '../operations/analysis/analysis-operation.js';
import { askAssistant, askGuestAssistant } from '../operations/assistant/ask-assistant.js';
import { deleteConversation } from '../operations/assistant/delete-conversation.js';
import { listConversations } from '../operations/assistant/list-conversations.js';
import { readConversation } from '../operations/assistant/read-conversation.js';
import { marketTable } from '../operations/analysis/market-table.js';
import { lastPrices } from '../operations/analysis/last-prices.js';
import { listAnalyses } from '../operations/analysis/list-analyses.js';
import { listAssets } from '../operations/analysis/list-assets.js';
import { listIndicators } from '../operations/analysis/list-indicators.js';
import { riskCalibration } from '../operations/analysis/risk-calibration.js';
import { listLeaderboards } from '../operations/analysis/list-leaderboards.js';
import { listStrategies } from '../operations/analysis/list-strategies.js';
import { resetPassword } from '../operations/account/reset-password.js';
import { verifyEmail } from '../operations/account/verify-email.js';
import { portfolio } from '../operations/analysis/portfolio.js';
import { strategyLeaderboard } from '../operations/analysis/strategy-leaderboard.js';
import { supportedExchanges } from '../operations/exchanges/supported-exchanges.js';
import { sweep } from '../operations/analysis/sweep.js';
import { signUp } from '../operations/account/sign-up.js';
import { cancelJob } from '../operations/operator/cancel-job.js';
import { clusterState } from '../operations/operator/cluster-state.js';
import { deleteAccount } from '../operations/account/delete-account.js';
import { endSession } from '../operations/account/end-session.js';
import { getSession } from '../operations/account/get-session.js';
import { getPreferences, putPreferences } from '../operations/account/preferences.js';
import { getUsage } from '../operations/account/get-usage.js';
import { listAudit } from '../operations/account/list-audit.js';
import { dropDeadLetter } from '../operations/operator/drop-dead-letter.js';
import { operatorActivity } from '../operations/operator/activity.js';
import { retryDeadLetters } from '../operations/operator/retry-dead-letters.js';
import { runScheduleNow } from '../operations/operator/run-schedule-now.js';
import { retryDeadLetter } from '../operations/operator/retry-dead-letter.js';
import { getEquity } from '../operations/ledger/get-equity.js';
import { getProfits } from '../operations/ledger/get-profits.js';
import { listPartnerChannels } from '../operations/ledger/list-partner-channels.js';
import { getAccountAccess } from '../operations/account/get-account-access.js';
import { getBacktestResult } from '../operations/backtests/get-backtest-result.js';
import { runMonteCarlo } from '../operations/backtests/run-monte-carlo.js';
import { getBalances } from '../operations/portfolio/get-balances.js';
import { getPortfolioRisk } from '../operations/portfolio/get-portfolio-risk.js';
import { getPositionDetails } from '../operations/portfolio/get-position-details.js';
import { getPortfolioStatus } from '../operations/portfolio/get-portfolio-status.js';
import { listTrades } from '../operations/ledger/list-trades.js';
import { addDca } from '../operations/signals/add-dca.js';
import { addRebuy } from '../operations/signals/add-rebuy.js';
import { addTakeProfit } from '../operations/signals/add-take-profit.js';
import { addTrailingStop } from '../operations/signals/add-trailing-stop.js';
import { addSubscription } from '../operations/signals/add-subscription.js';
import { cancelSignal } from '../operations/signals/cancel-signal.js';
import { changeSubscription } from '../operations/signals/change-subscription.js';
import { createSignalV1, createSignalV2 } from '../operations/signals/create-signal.js';
import { getFollowedSignal } from '../operations/signals/get-followed-signal.js';
import { getOrder } from '../operations/signals/get-order.js';
import { getPartnerSignal } from '../operations/signals/get-partner-signal.js';
import { closeSignal } from '../operations/signals/close-signal.js';
import { getChannel } from '../operations/signals/get-channel.js';
import { listChannels } from '../operations/signals/list-channels.js';
import { listFollowedSignals } from '../operations/signals/list-followed-signals.js';
import { listOrders } from '../operations/signals/list-orders.js';
import { listPartnerSignals } from '../operations/signals/list-partner-signals.js';
import { listSubscriptions } from '../operations/signals/list-subscriptions.js';
import { removeSubscription } from '../operations/signals/remove-subscription.js';
import { closeAll, pauseTrading, resumeTrading } from '../operations/signals/switch-trading.js';
import { updatePrices } from '../operations/signals/update-prices.js';
import { validateSignalV1, validateSignalV2 } from '../operations/signals/validate-signal.js';
import { disconnectApp } from '../operations/apps/disconnect-app.js';
import { listApps } from '../operations/apps/list-apps.js';
import { changeSavedStrategy } from '../operations/strategies/change-saved-strategy.js';
import { deleteSavedStrategy } from '../operations/strategies/delete-saved-strategy.js';
import { getSavedStrategy } from '../operations/strategies/get-saved-strategy.js';
import { getSharedStrategy } from '../operations/strategies/get-shared-strategy.js';
import { listSavedStrategies } from '../operations/strategies/list-saved-strategies.js';
import { saveStrategy } from '../operations/strategies/save-strategy.js';
import { shareStrategy } from '../operations/strategies/share-strategy.js';
import { createToken } from '../operations/tokens/create-token.js';
import { listTokens } from '../operations/tokens/list-tokens.js';
import { revokeToken } from '../operations/tokens/revoke-token.js';
import type { Operation } from '../operation.js';
import { getPartner } from '../operations/partner/get-partner.js';
import { addPartnerChannel, changePartnerChannel } from '../operations/partner/partner-channels.js';
import { addPartnerKey, revokePartnerKey } from '../operations/partner/partner-keys.js';
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
import type { ExtraInput } from './envelope-input.js';

/** Reads an input field from the parameter of the path that has its name. */
const pathInput =
  (name: string): ExtraInput =>
  ({ params }) => ({ [name]: (params as Record<string, string>)[name] });

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
  envelopeRoute('DELETE', '/backend/sessions/:id', endSession, pathInput('id')),
  envelopeRoute('POST', '/backend/password', changePassword),
  envelopeRoute('POST', '/backend/password/forgot', askPasswordReset),
  envelopeRoute('POST', '/backend/password/reset', resetPassword),
  envelopeRoute('POST', '/backend/verify-email', verifyEmail),
  envelopeRoute('POST', '/backend/verify-email/send', askVerification),
  envelopeRoute('GET', '/backend/tokens', listTokens),
  envelopeRoute('POST', '/backend/tokens', createToken),
  envelopeRoute('DELETE', '/backend/tokens/:id', revokeToken, pathInput('id')),
  envelopeRoute('GET', '/backend/apps', listApps),
  envelopeRoute('DELETE', '/backend/apps/:id', disconnectApp, pathInput('id')),
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
  envelopeRoute('GET', '/backend/research/runs/:id', getRun, pathInput('id')),
  envelopeRoute('POST', '/backend/research/runs/:id/monte-carlo', runLuck, pathInput('id')),
  csvRoute('GET', '/backend/research/runs/:id/trades.csv', runTrades, pathInput('id')),
  csvRoute('GET', '/backend/research/runs/:id/equity.csv', runEquity, pathInput('id')),
  envelopeRoute('DELETE', '/backend/research/runs/:id', deleteRun, pathInput('id')),

  envelopeRoute('POST', '/backend/assistant/chat', askAssistant),
  envelopeRoute('POST', '/backend/assistant/guest-chat', askGuestAssistant),
  envelopeRoute('GET', '/backend/conversations', listConversations),
  envelopeRoute('GET', '/backend/conversations/:id', readConversation, pathInput('id')),
  envelopeRoute('DELETE', '/backend/conversations/:id', deleteConversation, pathInput('id')),

  envelopeRoute('GET', '/backend/activepositions', activePositions),
  envelopeRoute('GET', '/backend/portfolio', getPortfolioStatus),
  envelopeRoute('POST', '/backend/portfolio/risk', getPortfolioRisk),
  envelopeRoute('GET', '/backend/positions/:asset', getPositionDetails, pathInput('asset')),
  envelopeRoute('GET', '/backend/balances', getBalances),
  envelopeRoute('GET', '/backend/exchanges', listExchanges),
  envelopeRoute('POST', '/backend/exchanges', connectExchange),
  envelopeRoute('DELETE', '/backend/exchanges/:exchange', disconnectExchange, pathInput('exchange')),

  envelopeRoute('GET', '/backend/backtests', listBacktests),
  envelopeRoute('GET', '/backend/backtest-result', getBacktestResult),
  envelopeRoute('POST', '/backend/backtests/:id/monte-carlo', runMonteCarlo, pathInput('id')),
  envelopeRoute('GET', '/backend/backtests/:id', getBacktest, pathInput('id')),
  csvRoute('GET', '/backend/backtests/:id/trades.csv', backtestTrades, pathInput('id')),
  csvRoute('GET', '/backend/backtests/:id/equity.csv', backtestEquity, pathInput('id')),
  envelopeRoute('PATCH', '/backend/backtests/:id', changeBacktest, pathInput('id')),
  envelopeRoute('DELETE', '/backend/backtests/:id', deleteBacktest, pathInput('id')),
  envelopeRoute('POST', '/backend/backtests/:id/share', shareBacktest, pathInput('id')),
  envelopeRoute('DELETE', '/backend/backtests/:id/share', unshareBacktest, pathInput('id')),
  envelopeRoute('GET', '/backend/shared/:token', getSharedBacktest, pathInput('token')),

  envelopeRoute('GET', '/backend/strategies', listSavedStrategies),
  envelopeRoute('POST', '/backend/strategies', saveStrategy),
  envelopeRoute('GET', '/backend/strategies/shared/:hash', getSharedStrategy, pathInput('hash')),
  envelopeRoute('GET', '/backend/strategies/:id', getSavedStrategy, pathInput('id')),
  envelopeRoute('PUT', '/backend/strategies/:id', changeSavedStrategy, pathInput('id')),
  envelopeRoute('DELETE', '/backend/strategies/:id', deleteSavedStrategy, pathInput('id')),
  envelopeRoute('POST', '/backend/strategies/:id/share', shareStrategy, pathInput('id')),

  envelopeRoute('GET', '/backend/channels', listChannels),
  envelopeRoute('GET', '/backend/channels/:id', getChannel, pathInput('id')),
  envelopeRoute('GET', '/backend/subscriptions', listSubscriptions),
  envelopeRoute('POST', '/backend/subscriptions', addSubscription),
  envelopeRoute('PATCH', '/backend/subscriptions/:id', changeSubscription, pathInput('id')),
  envelopeRoute('DELETE', '/backend/subscriptions/:id', removeSubscription, pathInput('id')),
  envelopeRoute('GET', '/backend/signals', listFollowedSignals),
  envelopeRoute(
    'GET',
    '/backend/signals/:parent_signal_id',
    getFollowedSignal,
    pathInput('parent_signal_id'),
  ),
  envelopeRoute(
    'POST',
    '/backend/signals/:parent_signal_id/close',
    closeSignal,
    pathInput('parent_signal_id'),
  ),
  envelopeRoute('GET', '/backend/orders', listOrders),
  envelopeRoute('GET', '/backend/orders/:id', getOrder, pathInput('id')),
  envelopeRoute('GET', '/backend/equity', getEquity),
  envelopeRoute('GET', '/backend/pnl', getProfits),
  envelopeRoute('GET', '/backend/trades', listTrades),
  envelopeRoute('POST', '/backend/trading/pause', pauseTrading),
  envelopeRoute('POST', '/backend/trading/resume', resumeTrading),
  envelopeRoute('POST', '/backend/trading/close-all', closeAll),

  envelopeRoute('GET', '/backend/partner', getPartner),
  envelopeRoute('POST', '/backend/partner/channels', addPartnerChannel),
  envelopeRoute('PATCH', '/backend/partner/channels/:id', changePartnerChannel, pathInput('id')),
  envelopeRoute('POST', '/backend/partner/keys', addPartnerKey),
  envelopeRoute('DELETE', '/backend/partner/keys/:key', revokePartnerKey, pathInput('key')),
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
