import { defineTool, type Tool } from '../tool.js';
import { calibratedRisk } from '../../operations/analysis/assess-risk.js';
import { countOf } from '../../../compute/model/count-of.js';
import { closedCandles } from '../../operations/analysis/closed-candles.js';
import { dataStatus } from '../../operations/analysis/data-status.js';
import { exchangeRules } from '../../operations/exchanges/exchange-rules.js';
import { flipIntelligence } from '../../operations/analysis/flip-intelligence.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { lastPrices } from '../../operations/analysis/prices.js';
import { chart } from '../../operations/analysis/chart.js';
import { listAssets } from '../../operations/analysis/list-assets.js';
import { supportedExchanges } from '../../operations/exchanges/supported-exchanges.js';
import { listIndicators } from '../../operations/analysis/list-catalogues.js';
import { plannedTrade } from '../../operations/analysis/planned-trade.js';
import { analysisNamed } from '../../../compute/analyses.js';
import { analysisOperation } from '../../operations/analysis/analysis-operation.js';

/** Most rows of an answer within its size; its cursor goes on after the last of them. */
const mostRows = 70;

/** Most rows of an answer within its size; its cursor goes on after the last of them. */
const mostRowsScanTrendStates = 60;

interface ScannedStates {
  total: number;
  states: { asset: string; state: string | null }[];
  nextCursor: string | null;
}

/** Tools that read the market and what is known of it. */
export const marketTools: readonly Tool[] = [
  defineTool({
    name: 'assess_risk',
    operation: calibratedRisk,
    // The operation serves /v3/ai too, whose parameters are in snake_case.
    input: ({ coin, tradeMarket, tradeSide }) => ({ coin, trade_market: tradeMarket, trade_side: tradeSide }),
    headline: ({ riskProfile, adx, btc, calibration }, { coin, tradeSide }) =>
      `A ${String(tradeSide)} of ${String(coin)} is ${riskProfile} risk: ADX ${adx.value.toFixed(1)} (${adx.trendStrength}), BTC trend ${btc.psar.value}, on 1h.${calibration === null ? '' : ` ${calibration}`}`,
  }),
  defineTool({
    name: 'get_candles',
    operation: closedCandles,
    headline: ({ asset, tradeMarket, interval, count, firstTime, earlierEndTime }) =>
      `${countOf(count, `closed ${interval} candle`)} of ${asset}/${tradeMarket}${count === 0 ? `; they begin on ${firstTime}` : ''}${earlierEndTime === null ? '' : `; for earlier ones pass end_time ${earlierEndTime}`}.`,
  }),
  defineTool({
    name: 'get_data_status',
    operation: dataStatus,
    headline: ({ source, asset, intervals, overdue, rateLimit }) => {
      const fresh = intervals.map(({ interval, lastClose, lagSeconds }) =>
        lagSeconds === 0 ? `${interval} up to ${lastClose}` : `${interval} ${lagSeconds} s behind`,
      );
      return `Candles of ${asset ?? 'all assets'} from ${source}: ${fresh.join(', ') || 'none'}; ${countOf(overdue.length, 'pair')} overdue; ${rateLimit.remaining} of ${rateLimit.limit} points left.`;
    },
  }),
  defineTool({
    name: 'get_exchange_rules',
    operation: exchangeRules,
    headline: ({ exchange, asset, tradeMarket, account, priceTick, quantityStep, minNotional }) =>
      `${asset}/${tradeMarket} on ${account} of ${exchange}: price tick ${priceTick}, quantity step ${quantityStep}, minimum notional ${minNotional} ${tradeMarket}.`,
  }),
  defineTool({
    name: 'get_flip_history',
    operation: flipIntelligence,
    headline: ({ asset, interval, state, flips }) =>
      `${asset} is in state ${state ?? 'unknown'} on ${interval}; ${countOf(flips.length, 'transition')}, the newest first${flips.length > 0 ? `. ${flips[0].explanation}` : '.'}`,
    isWarm: ({ state }) => state !== null,
  }),
  defineTool({
    name: 'get_price',
    operation: lastPrices,
    headline: ({ prices }) =>
      `${prices
        .map(({ symbol, price, change24hPercent, isStale }) =>
          price === null
            ? `${symbol} has no price`
            : `${symbol} ${price} (${change24hPercent === null ? 'change unknown' : `${formatNumber(Number(change24hPercent))} % in 24 h`}${isStale ? ', stale' : ''})`,
        )
        .join('; ')}.`,
  }),
  defineTool({
    name: 'get_trend_chart',
    operation: chart,
    headline: ({ asset, interval, state, candles, readingsDiffer }) =>
      `${asset} is in state ${state ?? 'unknown'} on ${interval}; ${countOf(candles.length, 'candle')} with the trend line.${readingsDiffer === null ? '' : ` Readings differ: ${readingsDiffer}.`}`,
    isWarm: ({ state }) => state !== null,
  }),
  defineTool({
    name: 'list_assets',
    operation: listAssets,
    input: ({ limit, ...args }) => ({ ...args, limit: Math.min(Number(limit), mostRows) }),
    headline: ({ total, assets, tradeMarket, nextCursor }) =>
      `${countOf(total, 'matching asset')} against ${tradeMarket}; ${assets.length} shown${nextCursor === null ? '' : ', more with next_cursor'}.`,
  }),
  defineTool({
    name: 'list_exchanges',
    operation: supportedExchanges,
    headline: ({ exchanges }) => {
      const paused = exchanges.filter(({ status }) => status === 'paused').map(({ exchange }) => exchange);
      return `${exchanges.length} exchanges: ${exchanges.map(({ exchange }) => exchange).join(', ')}; ${paused.length === 0 ? 'none is paused' : `paused: ${paused.join(', ')}`}.`;
    },
  }),
  defineTool({
    name: 'list_indicators',
    operation: listIndicators,
    headline: ({ indicators }) =>
      `${countOf(indicators.length, 'indicator')}: ${indicators.map(({ name }) => name).join(', ')}. Pass their names to get_indicator_values.`,
  }),
  defineTool({
    name: 'plan_trade_levels',
    operation: plannedTrade,
    headline: ({ asset, side, entry, stop, targets }) =>
      `A ${side} of ${asset} from ${formatNumber(entry.min)} to ${formatNumber(entry.max)}, stop ${formatNumber(stop.price)}, targets ${targets.map(({ price }) => formatNumber(price)).join(', ')}. No advice, no order.`,
  }),
  defineTool({
    name: 'scan_trend_states',
    operation: analysisOperation(analysisNamed('scan-states')),
    input: ({ limit, ...args }) => ({ ...args, limit: Math.min(Number(limit), mostRowsScanTrendStates) }),
    headline: (payload, { interval }) => {
      const { total, states, nextCursor } = payload as ScannedStates;
      return `${countOf(total, 'matching asset')} on ${String(interval)}; ${states.length} shown${nextCursor === null ? '' : ', more with next_cursor'}. States are of structure alone: trend and momentum may point elsewhere.`;
    },
  }),
];
