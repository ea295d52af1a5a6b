import Joi from 'joi';
import { periods } from '../../../compute/model/interval.js';
import { strategyNames } from '../../../compute/strategies/index.js';
import type { BacktestPayload } from './backtest.js';
import {
  count,
  date,
  figure,
  figureOrNull,
  intervalOutput,
  list,
  objectField,
  oneOf,
  seconds,
  text,
} from '../output-fields.js';

type Payload = BacktestPayload;

const day = (description: string) =>
  text(description).pattern(/^\d{4}-\d{2}-\d{2}$/, 'a day as in 2026-01-31');

const figures = {
  totalReturn: figureOrNull('percent'),
  winRate: figureOrNull('percent of entries that gained; null without a closed trade'),
  sharpe: figureOrNull('Sharpe ratio, by the year; null where it has no meaning'),
  maxDrawdown: figureOrNull('percent, 0 or below'),
  tradeCount: count('closed trades'),
  profitFactor: figureOrNull('gross profit divided by gross loss; null where no trade lost'),
  sortino: figureOrNull('Sortino ratio, by the year'),
  calmar: figureOrNull('growth by the year divided by the maximum drawdown'),
  expectancy: figureOrNull('mean return of a trade in percent'),
  exposure: figureOrNull('percent of candles with an open position'),
};

const trade = Joi.object<Payload['trades'][number], true>({
  entryPrice: figure('in quote currency, slippage included'),
  exitPrice: figure('in quote currency, slippage included'),
  entryDate: day('day of the fill, UTC'),
  exitDate: day('day of the fill, UTC'),
  return: figure('percent, fees included'),
  exitReason: oneOf(['signal', 'end'], 'sold by the strategy, or because the window ends'),
});

const assumptions = objectField<Payload['assumptions']>(
  {
    feeRate: figure('fee per side as a fraction'),
    slippageRate: figure('slippage per side as a fraction'),
    initialEquity: figure('in quote currency'),
    fill: text('at which price orders fill'),
    riskFreeRate: figure('fraction by the year'),
    candlesPerYear: figure('by which figures are brought to a year'),
  },
  'what the figures rest on',
);

const point = Joi.object<Payload['equity'][number], true>({
  time: seconds('open time of the candle'),
  value: figure('in quote currency'),
});

/** The shape of a backtest as it is answered. */
export const backtestOutput = Joi.object<Payload, true>({
  id: text('follows from all inputs: the same id, the same report').pattern(
    /^[0-9a-f]{64}$/,
    'a SHA-256 in hex',
  ),
  asset: text('asset symbol'),
  tradeMarket: text('quote currency'),
  interval: intervalOutput(),
  period: oneOf(periods, 'length of the window'),
  strategy: oneOf(strategyNames, 'name of the strategy'),
  params: Joi.object()
    .pattern(Joi.string(), Joi.number())
    .required()
    .description('parameters of the strategy in force, by name'),
  source: text('market the candles come from'),
  ...figures,
  trades: list(trade, 'oldest first'),
  benchmark: objectField<Payload['benchmark']>(
    {
      totalReturn: figures.totalReturn,
      maxDrawdown: figures.maxDrawdown,
      sharpe: figures.sharpe,
    },
    'the same costs, bought at the start and held',
  ),
  equity: list(point, 'what the account was worth, oldest first').max(500),
  candles: count('candles of the window'),
  window: objectField<Payload['window']>(
    {
      from: date('open time of the first candle'),
      to: date('close time of the last candle'),
    },
    'the time that was traded',
  ),
  assumptions,
  lookAheadCheck: objectField<Payload['lookAheadCheck']>(
    {
      candles: count('decisions made again from data that end at their candle'),
      differences: figure('decisions that differ: none, else there is no report').valid(0),
    },
    'whether a decision knew of what came after it',
  ),
  notes: list(text('a sentence'), 'what is to be known about the figures'),
});
