import type { listStrategies } from '../../../../operations/analysis/list-strategies.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, joined } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type StrategyList = OutputOf<typeof listStrategies>;

type ListedStrategy = StrategyList['strategies'][number];

export const listStrategiesIntent = defineIntent<StrategyList>({
  name: 'list-strategies',
  title: 'the strategies that can be tested, their rules and parameters',
  topic: 'strategies',
  tool: 'list_backtest_strategies',
  phrases: [
    'which strategies can i backtest',
    'list your strategy presets',
    'explain the {strategy} strategy',
    'what are the rules of {strategy}',
    'how does {strategy} trade',
    'parameters of the {strategy} strategy',
    'what systems do you have to test',
    'when does {strategy} buy and sell',
    'available trading strategies',
    'how does the {strategy} preset work',
    'describe {strategy}',
    'what settings can i change on {strategy}',
    'which presets are there',
    'what strategies do you have',
    'what can i backtest',
    'what does {strategy} do',
    'how does {strategy} decide',
    'when does {strategy} get in',
    'what is the idea of {strategy}',
    'which parameters can i tune on {strategy}',
    'show all the presets',
    'catalogue of strategies',
    'what is the {strategy} strategy',
    'rules of the {strategy} strategy',
    'explain how {strategy} works as a strategy',
    'what presets do you have',
    'what trading systems do you know',
    'show strategies',
    'list strategies',
    'what fees do the backtests assume',
    'how much history does a backtest of {strategy} need',
    'parameter ranges for {strategy}',
    'what is {strategy} doing',
    'tell me more about the {strategy} one',
    'strategies i can test and how they work',
    'built in trading strategies',
    'describe the {strategy} preset',
    'which strategy presets accept parameters',
    'minimum history of the strategies',
    'i do not know any of your strategies which ones exist',
  ],
  needs: {},
  takes: ['strategy'],
  args: ({ strategy }) => decidedArgs({ id: strategy }),
  answer: ({ strategies, assumptions }) => {
    const costs = `Backtests count a fee of ${writePercent(assumptions.feePercent)} and slippage of ${writePercent(assumptions.slippagePercent)} on each side unless you say otherwise.`;
    const [only] = strategies;
    if (!only) return { lead: 'There is no such strategy.', caveat: costs };
    if (strategies.length === 1) return oneStrategy(only, costs);
    return {
      lead: `${counted(strategies.length, 'strategy', 'strategies')} can be tested: ${joined(strategies.map(({ title }) => title))}.`,
      caveat: costs,
      next: 'Ask how one of them works, or for a backtest of it on an asset.',
    };
  },
});

const oneStrategy = ({ title, rule, params, minHistory }: ListedStrategy, costs: string) => ({
  lead: `${title}: ${rule}`,
  figures: [
    params.length === 0 ? 'It has no parameters.' : `Parameters: ${params.map(paramWords).join('; ')}.`,
    ...(minHistory === 0 ? [] : [`It needs ${counted(minHistory, 'candle')} before its first decision.`]),
  ],
  caveat: costs,
});

const paramWords = ({
  name,
  title,
  default: defaultValue,
  min,
  max,
}: ListedStrategy['params'][number]): string =>
  `${name}, ${writeNumber(defaultValue)} by default (${title}; ${writeNumber(min)} to ${writeNumber(max)})`;
