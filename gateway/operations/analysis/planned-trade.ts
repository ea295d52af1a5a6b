import Joi from 'joi';
import type { Value } from '../../../compute/model/field.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { analysisNamed } from '../../../compute/analyses.js';
import { readExchanges } from '../../../storage/exchanges/exchange-names.js';
import { defineOperation } from '../../operation.js';
import { analysisOperation } from './analysis-operation.js';
import type { AnalysisInput } from './candle-finders.js';

const tradeLevels = analysisNamed('trade-levels');

/** A planned trade, and the same as the body of a signal. */
type SignalPlan = Value<typeof tradeLevels.output> & {
  asset: string;
  tradeMarket: string;
  signal: Record<string, string>;
};

/** Digits of a price in the body. */
const digits = 10;

const levels = analysisOperation(tradeLevels);

/** Trade levels with the body of a signal (V1) that has them, so that it can be checked and sent. */
export const plannedTrade = defineOperation<AnalysisInput, SignalPlan>({
  ...levels,
  id: 'planned-trade',
  output: (levels.output as Joi.ObjectSchema<SignalPlan>).keys({
    signal: Joi.object()
      .pattern(Joi.string(), Joi.string())
      .required()
      .description('the levels as a body for validate_signal with version v1'),
  }),
  async handle(input, deps, caller) {
    const { payload, ttl } = await levels.handle(input, deps, caller);
    const plan = payload as Omit<SignalPlan, 'signal'>;
    const [exchange] = readExchanges(deps.settings.EXCHANGES);
    const signal = { ...bodyOf(plan), exchange: exchange.name };
    return { payload: { ...plan, signal }, ...(ttl === undefined ? {} : { ttl }) };
  },
});

function bodyOf({ asset, tradeMarket, side, entry, stop, targets }: Omit<SignalPlan, 'signal'>) {
  const price = (value: number) => formatNumber(value, digits);
  const exits = targets.map((target, n) => [`sell_price_${n + 1}`, price(target.price)] as const);
  return {
    coin: asset,
    trade_market: tradeMarket,
    type: side,
    buy_price_min: price(entry.min),
    buy_price_max: price(entry.max),
    ...Object.fromEntries(exits),
    stop_loss: price(stop.price),
  };
}
