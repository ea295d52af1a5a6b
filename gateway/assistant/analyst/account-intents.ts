import type { Intent } from './intent.js';
import { accountAccessIntent } from './intents/accounts/account-access.js';
import { balancesIntent } from './intents/accounts/balances.js';
import { channelPerformanceIntent } from './intents/accounts/channel-performance.js';
import { equityIntent } from './intents/accounts/equity.js';
import { exchangeConnectionsIntent } from './intents/accounts/exchange-connections.js';
import { orderTimelineIntent } from './intents/accounts/order-timeline.js';
import { ordersIntent } from './intents/accounts/orders.js';
import { pastConversationsIntent } from './intents/accounts/past-conversations.js';
import { portfolioConflictsIntent } from './intents/accounts/portfolio-conflicts.js';
import { portfolioRiskIntent } from './intents/accounts/portfolio-risk.js';
import { portfolioStatusIntent } from './intents/accounts/portfolio-status.js';
import { positionDetailsIntent } from './intents/accounts/position-details.js';
import { profitsIntent } from './intents/accounts/profits.js';
import { rateLimitIntent } from './intents/accounts/rate-limit.js';
import { signalDetailsIntent } from './intents/accounts/signal-details.js';
import { signalsIntent } from './intents/accounts/signals.js';
import { subscriptionsIntent } from './intents/accounts/subscriptions.js';
import { tradesIntent } from './intents/accounts/trades.js';
import { validateSignalIntent } from './intents/accounts/validate-signal.js';

/** Intents about accounts, orders and signals. */
export const accountIntents: readonly Intent[] = [
  accountAccessIntent,
  balancesIntent,
  channelPerformanceIntent,
  equityIntent,
  exchangeConnectionsIntent,
  orderTimelineIntent,
  ordersIntent,
  pastConversationsIntent,
  portfolioConflictsIntent,
  portfolioRiskIntent,
  portfolioStatusIntent,
  positionDetailsIntent,
  profitsIntent,
  rateLimitIntent,
  signalDetailsIntent,
  signalsIntent,
  subscriptionsIntent,
  tradesIntent,
  validateSignalIntent,
];
