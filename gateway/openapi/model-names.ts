/** Names of answers that are not the operation's id, by operation. Operations with the same answer share a name. */
const answerNames: Record<string, string> = {
  'active-positions': 'PositionList',
  'add-dca': 'DoneCommand',
  'add-rebuy': 'DoneCommand',
  'add-subscription': 'Subscription',
  'add-take-profit': 'DoneCommand',
  'add-trailing-stop': 'DoneCommand',
  'assess-risk': 'RiskAssessment',
  'cancel-signal': 'DoneCommand',
  'change-password': 'EndedSessions',
  'change-subscription': 'Subscription',
  'close-all': 'SwitchedTrading',
  'connect-exchange': 'ExchangeList',
  'create-signal-v1': 'CreatedSignal',
  'create-signal-v2': 'CreatedSignal',
  'delete-backtest': 'DeletedBacktest',
  'disconnect-exchange': 'ExchangeList',
  'end-sessions': 'EndedSessions',
  'get-followed-signal': 'FollowedSignal',
  'get-order': 'Order',
  'get-partner-signal': 'PartnerSignal',
  'get-price': 'Price',
  'get-backtest': 'StoredBacktest',
  healthz: 'Liveness',
  'list-analyses': 'AnalysisList',
  'list-assets': 'AssetList',
  'list-backtests': 'BacktestList',
  'list-channels': 'ChannelList',
  'list-exchanges': 'ExchangeList',
  'list-followed-signals': 'FollowedSignalList',
  'list-indicators': 'IndicatorList',
  'list-leaderboards': 'LeaderboardList',
  'list-orders': 'OrderList',
  'list-partner-signals': 'PartnerSignalList',
  'list-sessions': 'SessionList',
  'list-strategies': 'StrategyList',
  'list-subscriptions': 'SubscriptionList',
  login: 'SignedIn',
  'login-idp': 'SignedIn',
  logout: 'EndedSessions',
  'operator-activity': 'Activity',
  'operator-cancel': 'CancelledJob',
  'operator-cluster': 'Cluster',
  'operator-drop': 'DroppedJobs',
  'operator-retry': 'RetriedJob',
  'operator-retry-all': 'RetriedJobs',
  'operator-run-schedule': 'StartedSchedule',
  'openapi-json': 'OpenApiDocument',
  'pause-trading': 'SwitchedTrading',
  readyz: 'Readiness',
  'remove-subscription': 'RemovedSubscription',
  'resume-trading': 'SwitchedTrading',
  'sign-up': 'SignedIn',
  'update-prices': 'DoneCommand',
  'validate-signal-v1': 'ValidatedSignal',
  'validate-signal-v2': 'ValidatedSignal',
};

/** Names of models whose place does not name them well, by the place where they are found first. */
export const chosenNames: Readonly<Record<string, string>> = {
  'active-positions.positions[]': 'Position',
  'active-positions.positions[].costBasis': 'CostBasis',
  'assess-risk.reasons[]': 'RiskReason',
  'backtest.equity[]': 'EquityPoint',
  'backtest.params': 'ParamValues',
  'backtest.trades[]': 'Trade',
  'backtest<.params': 'StrategyParams',
  'chart.candles[]': 'Candle',
  'chart.color': 'StateColor',
  'chart.line[]': 'LinePoint',
  'chart.state': 'CoreLineState',
  'chart.states[]': 'StatePoint',
  'connect-exchange<.holdings[]': 'Holding',
  'dca-ladder<.firstPrice': 'Decimal',
  'divergences.divergences[]': 'Divergence',
  'divergences.divergences[].from': 'DivergencePoint',
  'divergences.divergences[].sentiment': 'Bias',
  'list-backtests.backtests[]': 'BacktestSummary',
  'list-exchanges.exchanges[]': 'Exchange',
  'list-followed-signals.signals[]': 'FollowedSignalSummary',
  'list-indicators.indicators[].kind': 'IndicatorKind',
  'list-indicators.indicators[].params[]': 'ParamDescription',
  'list-indicators?name': 'IndicatorName',
  'list-partner-signals.signals[]': 'PartnerSignalSummary',
  'list-strategies?name': 'StrategyName',
  'list-subscriptions.subscriptions[]': 'SubscriptionSummary',
  'login.result': 'Success',
  'login.user.subscriptionplan': 'Plan',
  'market-overview.btc.psar.value': 'UpOrDown',
  'momentum.macd.labels': 'MacdLabels',
  'momentum.macd.results': 'MacdResults',
  'momentum.rsi.labels': 'OscillatorLabels',
  'momentum.rsi.labels.momentum': 'MomentumLabel',
  'momentum.rsi.labels.signal': 'TradeSignal',
  'momentum.rsi.labels.trend': 'Direction',
  'momentum.rsi.results': 'RsiResults',
  'momentum.rsi.value': 'Sentiment',
  'operator-activity.minutes[].requests': 'ActivityFigures',
  'operator-cluster.dead[]': 'DeadJob',
  'operator-cluster.jobs[]': 'RunningJob',
  'performance.rows[].windows[].window': 'PerformanceSpan',
  'technical-summary.groups.trend': 'GroupSummary',
  'trend.ichimoku.cloud.position': 'PriceLocation',
  'volume.volume': 'VolumeReading',
};

/** The name of an operation's answer, as in `RiskAssessment`. */
export const answerName = (operation: string): string => answerNames[operation] ?? pascal(operation);

/** `similar-history` and `similarHistory` as `SimilarHistory`. */
export const pascal = (words: string): string =>
  words.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const singulars: readonly (readonly [RegExp, string])[] = [
  [/(Ser)ies$/, '$1ies'],
  [/(aly)ses$/, '$1sis'],
  [/(ch|sh|ss|x)es$/, '$1'],
  [/ies$/, 'y'],
  [/([^s])s$/, '$1'],
];

/** The name of a field for one of its items, as in `Trade` for `trades[]`. */
export function fieldName(segment: string): string {
  const name = pascal(segment.replace(/[^A-Za-z0-9]/g, ' ').trim());
  if (!segment.endsWith('[]')) return name;
  const [pattern, singular] = singulars.find(([ending]) => ending.test(name)) ?? [/$/, ''];
  return name.replace(pattern, singular);
}
