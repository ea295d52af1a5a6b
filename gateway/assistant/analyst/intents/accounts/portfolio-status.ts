import { decidedArgs } from '../../decided-args.js';
import { defineIntent } from '../../intent.js';
import { counted, firstOf, inQuote } from '../../market-words.js';
import { profitWords } from '../../outcome-words.js';
import { againstWords, noPositions, positionWords, type PortfolioStatus } from '../../position-words.js';

const mostTold = 6;

export const portfolioStatusIntent = defineIntent<PortfolioStatus>({
  name: 'portfolio-status',
  title: 'your open positions with their profit and trend states',
  tool: 'get_portfolio_status',
  phrases: [
    'how is my portfolio',
    'show my open positions',
    'what do i hold right now',
    'my positions on {exchange}',
    'am i up or down on my open trades',
    'list my holdings with their trend state',
    'portfolio status',
    'what is in my bag',
    'which coins do i own',
    'overview of my account',
    'how are my investments doing',
    'my open trades',
    'everything i hold on {exchange}',
    'what am i holding',
    'how are my bags',
    'what does my book look like',
    'am i in any trades',
    'what am i in right now',
    'do i have anything open',
    'how are my positions doing',
    'what have i got open',
    'current positions',
    'how am i doing',
    'what coins do i have',
    'list everything i own',
    'how do my trades look',
    'overview of what i own',
    'what have i bought so far',
    'what trades am i in',
    'what positions am i sitting on',
    'what do i have on',
    'which trades are running',
    'am i long or short anything',
    'what am i invested in',
    'unrealised pnl per open position',
    'what do i have open on {exchange}',
    'which assets am i holding',
    'positions with their trend states',
    'show me everything i am holding',
    'open positions and their profit',
  ],
  needs: {},
  takes: ['exchange'],
  yields: ['declined-other-account', 'portfolio-conflicts'],
  args: ({ exchange }) => decidedArgs({ exchange }),
  answer: ({ positions, summary, accounts }) => {
    if (summary.count === 0) return noPositions(accounts);
    const pnl =
      summary.pnl === 0 ? 'no unrealised profit or loss' : `${profitWords(summary.pnl, 'USDT')} unrealised`;
    return {
      lead: `You hold ${counted(summary.count, 'open position')} worth ${inQuote(summary.value, 'USDT')}, with ${pnl}.`,
      figures:
        positions.length === 0
          ? []
          : [
              `${positions.length > mostTold ? 'The largest: ' : 'They are '}${firstOf(positions.map(positionWords), mostTold)}.`,
            ],
      caveat: againstWords(positions, accounts),
    };
  },
});
