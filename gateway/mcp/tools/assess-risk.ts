import { calibratedRisk } from '../../operations/analysis/calibrated-risk.js';
import { defineTool } from '../tool.js';

export const assessRiskTool = defineTool({
  name: 'assess_risk',
  operation: calibratedRisk,
  // The operation serves /v3/ai too, whose parameters are in snake_case.
  input: ({ coin, tradeMarket, tradeSide }) => ({ coin, trade_market: tradeMarket, trade_side: tradeSide }),
  headline: ({ riskProfile, adx, btc, calibration }, { coin, tradeSide }) =>
    `A ${String(tradeSide)} of ${String(coin)} is ${riskProfile} risk: ADX ${adx.value.toFixed(1)} (${adx.trendStrength}), BTC trend ${btc.psar.value}.${calibration === null ? '' : ` ${calibration}`}`,
});
