import { strategyNamed, type StrategyName } from '../strategies/index.js';
import type { StrategyJson } from './canonical-rules.js';

const when = (left: string, op: string, right: string | number) => ({ left, op, right });

const macd = 'macd_{fast}_{slow}_{signal}';
const macdSignal = 'macd_signal_{fast}_{slow}_{signal}';

/** The rules of the built-in strategies in the language of this folder, without their parameters. */
const sides: Record<StrategyName, object> = {
  bollinger_reversion: {
    entry: when('close', '<', 'bollinger_lower_{period}_{width}'),
    exit: when('close', '>', 'bollinger_middle_{period}_{width}'),
  },
  buy_and_hold: { entry: when('close', '>', 0) },
  donchian_breakout: {
    entry: when('close', '>', 'donchian_upper_{entry}[1]'),
    exit: when('close', '<', 'donchian_lower_{exit}[1]'),
  },
  ema_cross: {
    entry: when('ema_{fast}', '>', 'ema_{slow}'),
    exit: when('ema_{fast}', '<=', 'ema_{slow}'),
  },
  macd_cross: { entry: when(macd, '>', macdSignal), exit: when(macd, '<=', macdSignal) },
  rsi_reversal: {
    entry: when('rsi_{period}', '<', '{oversold}'),
    exit: when('rsi_{period}', '>', '{overbought}'),
  },
  supertrend: {
    entry: when('direction_{period}_{width}', '>', 0),
    exit: when('direction_{period}_{width}', '<=', 0),
  },
  trend_state: {
    entry: when('state', '=', 'accumulate'),
    exit: when('state', '=', 'distribute'),
  },
};

/** The built-in strategy of this name as rules; undefined for another name. */
export function templateNamed(name: string): StrategyJson | undefined {
  if (!Object.hasOwn(sides, name)) return undefined;
  const long = sides[name as StrategyName];
  const params = Object.entries(strategyNamed(name as StrategyName).params).map(
    ([param, { default: value, min, max, step }]) => [
      param,
      { default: value, min, max, ...(step === undefined ? {} : { step }) },
    ],
  );
  return params.length === 0 ? { long } : { params: Object.fromEntries(params), long };
}
