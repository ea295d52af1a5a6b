import { field, type ParamSpecsByName } from '../model/field.js';
import { periods } from '../model/interval.js';
import { strategyNamed, strategyNames } from '../strategies/index.js';

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

/** The time that a backtest covers. */
export const windowFields = {
  from: field.text('open time of the first candle, ISO 8601'),
  to: field.text('close time of the last candle, ISO 8601'),
};
