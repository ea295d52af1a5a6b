import { assessRisk } from '../../operations/analysis/assess-risk.js';
import { defineTool } from '../tool.js';

export const assessRiskTool = defineTool({
  name: 'assess_risk',
  operation: assessRisk,
  // The operation serves /v3/ai too, whose parameters are in snake_case.
  input: ({ coin, tradeMarket, tradeSide }) => ({ coin, trade_market: tradeMarket, trade_side: tradeSide }),
  headline: ({ riskProfile, adx, btc }, { coin, tradeSide }) =>
    `A ${String(tradeSide)} of ${String(coin)} is ${riskProfile} risk: ADX ${adx.value.toFixed(1)} (${adx.trendStrength}), BTC trend ${btc.psar.value}.`,
});
