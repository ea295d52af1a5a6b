import { decidedArgs } from '../../decided-args.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, firstOf, joined, sentence } from '../../market-words.js';
import { faultWords, noPositions, type PortfolioStatus } from '../../position-words.js';

const mostTold = 6;

export const portfolioConflictsIntent = defineIntent<PortfolioStatus>({
  name: 'portfolio-conflicts',
  title: 'which of your positions go against the trend state',
  tool: 'get_portfolio_status',
  phrases: [
    'which of my positions are against the trend',
    'any conflicts in my portfolio',
    'do i hold something that is in distribute',
    'positions that fight the state',
    'am i on the wrong side anywhere',
    'only the conflicting ones',
    'what do i own that turned bearish',
    'which of my longs oppose the state',
    'conflicting positions on {exchange}',
    'is one of my holdings against its trend',
    'do my trades agree with the trend states',
    'where does the trend disagree with me',
    'anything i hold that goes against the trend',
    'which of my coins are in a downtrend',
    'am i fighting the trend',
    'is any of my positions on the wrong side',
    'what in my bag is {state}',
    'do i own anything bearish',
    'which of my trades run against the market',
    'am i long something that is falling',
    'where am i swimming against the tide',
    'positions at odds with the state',
    'which of my holdings flipped against me',
    'am i holding anything that is in {state}',
    'do any of my longs oppose their trend',
    'just the ones against the trend',
    'which of my positions conflict with the trend on {exchange}',
    'conflicts between my positions and the market',
    'which positions go against the trend',
    'positions against the trend',
  ],
  needs: {},
  takes: ['exchange'],
  args: ({ exchange }) => decidedArgs({ only_conflicts: true, exchange }),
  answer: ({ positions, summary, accounts }) => {
    if (summary.count === 0) return noPositions(accounts);
    if (positions.length === 0)
      return {
        lead: `None of your ${counted(summary.count, 'open position')} goes against a trend state.`,
        ...(faultWords(accounts) === '' ? {} : { caveat: faultWords(accounts).trim() }),
      };
    return {
      lead: `${counted(summary.conflicts, 'position')} of ${counted(summary.count, 'open one')} ${summary.conflicts === 1 ? 'goes' : 'go'} against a trend state.`,
      figures: [`${sentence(firstOf(positions.map(conflictWords), mostTold))}.`],
      caveat: `A state tells where the trend stands, not what to do.${faultWords(accounts)}`,
    };
  },
});

const conflictWords = ({
  side,
  asset,
  quantity,
  exchange,
  conflictsOn,
}: PortfolioStatus['positions'][number]) =>
  `the ${side} of ${writeNumber(quantity, 5)} ${asset} on ${exchange} against ${side === 'long' ? 'distribute' : 'accumulate'} on ${joined(conflictsOn)}`;
