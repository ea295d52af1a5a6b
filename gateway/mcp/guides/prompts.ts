import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type Prompt as ListedPrompt,
} from '@modelcontextprotocol/server';
import { didYouMean, nearestNames } from '../../../compute/model/nearest-names.js';

/** A prompt that a user picks, with the text that its arguments make. */
interface PromptTemplate extends ListedPrompt {
  text: (args: Readonly<Record<string, string>>) => string;
}

const asset = { name: 'asset', description: 'symbol, such as BTC', required: true };
const interval = { name: 'interval', description: '1h, 4h or 1d; default 1d', required: false };

const templates: readonly PromptTemplate[] = [
  {
    name: 'backtest-honestly',
    title: 'Backtest honestly',
    description: 'Tests a strategy and says how much of its result could be luck.',
    arguments: [
      asset,
      {
        name: 'strategy',
        description: 'id from list_backtest_strategies; default trend_state',
        required: false,
      },
      interval,
    ],
    text: ({ asset, strategy = 'trend_state', interval = '1d' }) =>
      `Test the strategy ${strategy} on ${asset}, interval ${interval}. Run run_backtest over one year, then run_walk_forward with the same strategy, then run_monte_carlo on the stored backtest. ` +
      'Report total return beside buy and hold, the deepest drawdown, the number of trades, the verdict of the walk-forward check and the probability of loss. Say plainly whether the result could be luck, and that the past does not promise the future.',
  },
  {
    name: 'check-my-portfolio',
    title: 'Check my portfolio',
    description: 'Open positions with their trend states, conflicts and risk.',
    arguments: [],
    text: () =>
      'Check my portfolio. Call get_portfolio_status and get_portfolio_risk. List the positions whose trend state opposes their side, the largest positions by value, the value at risk and the most correlated positions. ' +
      'Name the time of the figures. Do not advise me to buy or sell.',
  },
  {
    name: 'market-brief',
    title: 'Market brief',
    description: 'The state of the market in a few sentences.',
    arguments: [interval],
    text: ({ interval = '1d' }) =>
      `Write a market brief of at most 150 words for interval ${interval}. Call get_market_overview, get_breadth_history with limit 10, scan_recent_flips and get_top_movers. ` +
      'Say how many assets are in each trend state and which way that moves, the trend of BTC, what changed state lately, and what stands out. Name the time and the source of the figures.',
  },
  {
    name: 'plan-a-trade',
    title: 'Plan a trade',
    description: 'Levels, size and odds of a trade, without placing it.',
    arguments: [
      asset,
      { name: 'side', description: 'long or short; default long', required: false },
      { name: 'account_size', description: 'in quote currency', required: true },
      { name: 'risk_percent', description: 'share of the account at risk; default 1', required: false },
    ],
    text: ({ asset, side = 'long', account_size: size, risk_percent: risk = '1' }) =>
      `Plan a ${side} trade of ${asset} for an account of ${size} that risks ${risk} percent. Call assess_risk, plan_trade_levels, then calculate_position_size with its entry and stop, then estimate_target_probability for the first target. ` +
      'Report the risk label with its reasons, entry, stop, targets with R multiples, quantity, and how often such a target was reached before the stop. No order is placed, and this is no advice.',
  },
];

/** The prompts as clients list them. */
export const prompts: ListedPrompt[] = templates.map(
  ({ name, title = name, description = '', arguments: args = [] }) => ({
    name,
    title,
    description,
    arguments: args,
  }),
);

const longestArgument = 100;

/** A prompt with its arguments filled in. Throws a ProtocolError for an unknown prompt and for a missing or too long argument. */
export function promptNamed(name: string, sent: Readonly<Record<string, string>>): GetPromptResult {
  const template = templates.find((each) => each.name === name);
  if (!template) {
    const near = nearestNames(
      name.slice(0, 60),
      templates.map((each) => each.name),
    );
    throw invalid(`there is no prompt "${name.slice(0, 60)}"${didYouMean(near)}`);
  }
  const { arguments: known = [], description = '' } = template;
  // Clients send an empty text for a field of their form that the user leaves empty.
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
  for (const { name: argument, required } of known)
    if (required && given[argument] === undefined) throw invalid(`"${argument}" is required`);
  for (const [argument, value] of Object.entries(given))
    if (value.length > longestArgument)
      throw invalid(`"${argument}" has more than ${longestArgument} characters`);
  return { description, messages: [{ role: 'user', content: { type: 'text', text: template.text(given) } }] };
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
