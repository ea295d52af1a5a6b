import {
  ResourceNotFoundError,
  type Resource,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import { indicators } from '../../../compute/indicators/index.js';
import { strategies } from '../../../compute/strategies/index.js';
import type { ParamSpec } from '../../../compute/model/indicator.js';
import { stateColors } from '../../../compute/model/core-line.js';

/** The terms of answers, one line each. */
export const glossary = `# Glossary

- **accumulate, wait, distribute**: the trend state of an asset on one interval: strength, no clear bias, weakness.
- **flip**: a change of the trend state on the close of a candle.
- **flip price**: the close of the next candle that would change the state.
- **agreement**: how far the states on 1h, 4h and 1d point the same way.
- **candle**: open, high, low, close and volume of one hour, four hours or one day, in UTC. Only closed candles count.
- **as_of**: the time an answer is about, usually the close of the newest candle.
- **source**: where candles come from. "demo" is a generated market.
- **stale**: newer data is overdue.
- **warmup_ok**: the indicators had their usual history.
- **ATR**: average true range, the usual size of a candle; distances are given in multiples of it.
- **R**: the distance from entry to stop. A result of 2 R gained twice what was at risk.
- **drawdown**: fall from the highest value so far, in percent, below 0.
- **Sharpe ratio**: mean excess return over its standard deviation, per year.
- **profit factor**: gross profit over gross loss.
- **VaR, CVaR**: at 95 % (99 %), the loss that is exceeded in 5 (1) of 100 cases, and the mean loss of those cases.
- **breadth**: share of assets that rise, stand above an average, or are in a state.
- **signal**: a trade idea of a partner channel, with entry, targets and stop, that subscribers may have executed.
- **rebuy zone, DCA level**: further buys below the entry of a signal.
- **trailing stop**: a stop that follows the price in the direction of the trade only.
- **out-of-sample**: measured on candles that the parameters were not fitted on.
- **core line**: the line through the middle of the recent closes from which the trend state is read, with a band on each side.
- **walk-forward**: parameters are fitted on one stretch of candles and measured on the next, stretch after stretch.
- **Monte Carlo**: the trades of a backtest are drawn many times in random order, to see how much of the result was luck.
- **p-value**: probability of a result at least as large by chance alone.`;

/** What the trend states mean, for models and people. */
const statesGuide = `# Trend states

Each asset has a trend state on each interval (1h, 4h, 1d), computed on closed candles from the trend line and the readings around it.

| state | colour | meaning |
|---|---|---|
| accumulate | ${stateColors.accumulate} | the asset shows structural strength |
| wait | ${stateColors.wait} | there is no clear directional bias |
| distribute | ${stateColors.distribute} | the asset shows structural weakness |

- A state needs 61 candles of history; before that it is null.
- A state changes on the close of a candle, never within it. get_flip_price says which close would change it next.
- get_flip_history lists past changes with the conditions that held; get_flip_statistics says how long states lasted and what price did afterwards.
- The three intervals may disagree: the longer one is the background, the shorter one the timing. get_trend_state shows all three with an agreement score.
- A state describes the present trend. It is no forecast and no advice.`;

/** A text that clients can give a model to read. */
interface Guide {
  uri: string;
  name: string;
  title: string;
  description: string;
  text: () => string;
}

const all: readonly Guide[] = [
  {
    uri: 'tidemark://guides/glossary',
    name: 'glossary',
    title: 'Glossary',
    description: 'The terms of answers, one line each.',
    text: () => glossary,
  },
  {
    uri: 'tidemark://guides/indicators',
    name: 'indicators',
    title: 'Indicators',
    description: 'Every indicator with its lines, parameters and source.',
    text: () => indicatorGuide(),
  },
  {
    uri: 'tidemark://guides/states',
    name: 'states',
    title: 'Guide to trend states',
    description: 'What accumulate, wait and distribute mean, and when a state changes.',
    text: () => statesGuide,
  },
  {
    uri: 'tidemark://guides/strategies',
    name: 'strategies',
    title: 'Strategies',
    description: 'Every strategy preset with its parameters.',
    text: () => strategyGuide(),
  },
];

/** The guides as clients list them. */
export const guides: Resource[] = all.map(({ uri, name, title, description }) => ({
  uri,
  name,
  title,
  description,
  mimeType: 'text/markdown',
}));

/** The text of a guide. Throws ResourceNotFoundError for an unknown URI. */
export function readGuide(uri: string): TextResourceContents {
  const guide = all.find((each) => each.uri === uri);
  if (!guide) throw new ResourceNotFoundError(uri);
  return { uri, mimeType: 'text/markdown', text: guide.text() };
}

const indicatorGuide = (): string =>
  [
    '# Indicators',
    ...indicators.map(
      ({ name, title, outputs, params, reference }) =>
        `## ${name}\n${title}. Lines: ${outputs.join(', ')}. Parameters: ${paramWords(params)}. Source: ${reference}.`,
    ),
  ].join('\n\n');

const strategyGuide = (): string =>
  [
    '# Strategies',
    ...strategies.map(
      ({ name, title, params }) => `## ${name}\n${title}. Parameters: ${paramWords(params)}.`,
    ),
  ].join('\n\n');

/** Parameters with their ranges, in words. */
function paramWords(specs: Readonly<Record<string, ParamSpec>>): string {
  const words = Object.entries(specs).map(
    ([name, { title, min, max, default: defaultValue }]) =>
      `${name} (${title}; ${min} to ${max}, default ${defaultValue})`,
  );
  return words.join(', ') || 'none';
}
