import { field, type ParamSpecsByName } from '../model/field.js';
import { periods } from '../model/interval.js';
import { strategyNamed, strategyNames } from '../strategies/index.js';
import type { Costs } from './engine.js';

/** The parameters of every strategy, by its name. */
export const strategyParamSpecs: ParamSpecsByName = Object.fromEntries(
  strategyNames.map((name) => [name, strategyNamed(name)]),
);

export const strategyField = field.choice('name of the strategy', strategyNames, { default: 'trend_state' });

export const strategyParamsField = field.params(
  'parameters of the strategy by name; the others keep their defaults',
  'strategy',
  strategyParamSpecs,
);

export const periodField = field.choice(
  'length of the window, which ends at the last closed candle',
  periods,
  {
    default: '1y',
  },
);

const cost = (text: string, percent: number) =>
  field.number(text, { min: 0, max: 10, unit: 'percent', default: percent });

/** The costs of each side of a trade. */
export const costFields = {
  feePercent: cost('fee of each side', 0.1),
  slippagePercent: cost('slippage of each side', 0.05),
};

/** The costs as fractions, for the engine. */
export const costsOf = ({
  feePercent,
  slippagePercent,
}: {
  feePercent: number;
  slippagePercent: number;
}): Costs => ({ feeRate: feePercent / 100, slippageRate: slippagePercent / 100 });

/** The time that a backtest covers. */
export const windowFields = {
  from: field.text('open time of the first candle, ISO 8601'),
  to: field.text('close time of the last candle, ISO 8601'),
};
