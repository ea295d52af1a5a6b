import type { getPortfolioRisk } from '../../../../operations/portfolio/get-portfolio-risk.js';
import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { firstOf, inQuote, sentence } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type PortfolioRisk = Answered<'portfolio-risk'> &
  Pick<OutputOf<typeof getPortfolioRisk>, 'leverage' | 'labels' | 'unpriced' | 'notes'>;

type BookFigures = PortfolioRisk['before'];

const mostTold = 5;

export const portfolioRiskIntent = defineIntent<PortfolioRisk>({
  name: 'portfolio-risk',
  title: 'the risk of your portfolio, and what a change would make of it',
  tool: 'get_portfolio_risk',
  phrases: [
    'how risky is my portfolio',
    'my value at risk',
    'am i too concentrated',
    'beta of my portfolio to btc',
    'what happens to my risk if i {changes}',
    'portfolio risk if i {changes}',
    'how would {changes} change my risk',
    'how much leverage do i have in total',
    'how much can my portfolio lose in a day',
    'is my portfolio diversified',
    'risk of all my positions together',
    'do my holdings move together',
    'what if i {changes}',
    'which of my positions are too risky',
    'how exposed am i',
    'what is my exposure',
    'am i too heavy in {asset}',
    'do i have all my eggs in one basket',
    'how much do i stand to lose',
    'the worst case of my portfolio',
    'how correlated are my holdings',
    'how leveraged am i',
    'biggest risk in my book',
    'how diversified am i',
    'how much of my book is in one coin',
    'how badly would a crash hurt me',
    'how risky is what i own',
    'how risky are my positions together',
    'how concentrated am i',
    'what is my largest exposure',
    'how much could i lose tomorrow',
    'how risky is what i hold',
    'risk after selling {changes}',
    'what if i buy {changes} and sell {changes}',
    'would {changes} make my portfolio riskier',
    'portfolio risk if i reduce {changes}',
    'correlation clusters in my holdings',
    'what would it look like if i {changes}',
    'expected shortfall of my portfolio',
    'beta of my holdings',
    'how much leverage am i running',
    'which of my positions are riskiest',
    'how would my risk change with {changes}',
    'what happens to my var if i {changes}',
    'what if i sold {changes}',
    'how much could my whole portfolio lose on a bad day',
    'am i overexposed to one coin',
  ],
  needs: {},
  takes: ['changes'],
  args: ({ changes }) =>
    decidedArgs({ changes: changes?.map(({ asset, quantity }) => ({ asset, quantity_delta: quantity })) }),
  answer: ({ before, after, leverage, labels, leftOut, unpriced, notes }) => {
    const risky = [
      ...new Set(labels.filter(({ riskProfile }) => riskProfile === 'tooRisky').map(({ asset }) => asset)),
    ];
    if (before.positions.length === 0 && !after)
      return { lead: 'There is nothing in your portfolio whose risk could be computed.' };
    const missing = [...new Set([...leftOut.map(({ asset }) => asset), ...unpriced])];
    return {
      lead: after
        ? `With the change your portfolio of ${inQuote(after.value, 'USDT')} ${lossWords(after)}; without it, worth ${inQuote(before.value, 'USDT')}, it ${lossWords(before)}.`
        : `Your portfolio of ${inQuote(before.value, 'USDT')} ${lossWords(before)}.`,
      figures: [
        ...concentrationWords(after ?? before),
        ...betaWords(before, after),
        ...leverageWords(leverage),
        risky.length === 0
          ? 'No position is labelled too risky now.'
          : `${sentence(firstOf(risky, mostTold))} ${risky.length === 1 ? 'is' : 'are'} labelled too risky now.`,
      ],
      caveat: `The loss figures come from past days with the weights of today${missing.length === 0 ? '' : `, without ${firstOf(missing, mostTold)} for lack of history`}${notes.length === 0 ? '' : `; ${notes.join('; ')}`}; worse days are possible.`,
    };
  },
});

const lossWords = ({ tail95 }: BookFigures): string => {
  if (!tail95) return 'has too little history for a value at risk';
  const { varPercent, varValue, cvarValue } = tail95;
  if (varValue <= 0) return 'lost nothing on nineteen days out of twenty';
  return `loses ${inQuote(varValue, 'USDT')}${varPercent === null ? '' : ` (${writePercent(varPercent)})`} or more on one day in twenty, ${inQuote(cvarValue, 'USDT')} on average of such days`;
};

const concentrationWords = ({ concentration }: BookFigures): string[] =>
  concentration === null
    ? []
    : [`The largest part is ${concentration.largest} with ${writePercent(concentration.largestPercent)}.`];

const betaWords = (before: BookFigures, after: BookFigures | null): string[] => {
  const [now, then] = [before.beta?.beta ?? null, after?.beta?.beta ?? null];
  return now === null
    ? []
    : [
        `Its beta to BTC is ${writeNumber(now)}${then === null ? '' : `, with the change ${writeNumber(then)}`}.`,
      ];
};

const leverageWords = ({ before, after }: PortfolioRisk['leverage']): string[] =>
  before === null
    ? []
    : [
        `The leverage is ${writeNumber(before)}${after === null ? '' : `, with the change ${writeNumber(after)}`}.`,
      ];
