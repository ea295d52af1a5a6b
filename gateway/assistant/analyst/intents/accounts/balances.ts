import type { getBalances } from '../../../../operations/portfolio/get-balances.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, firstOf, inQuote } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { faultWords } from '../../position-words.js';

type Balances = OutputOf<typeof getBalances>;

type BalanceLine = Balances['balances'][number];

const mostTold = 6;

export const balancesIntent = defineIntent<Balances>({
  name: 'balances',
  title: 'your balances, free and locked, with their value',
  tool: 'get_balances',
  phrases: [
    'what is my balance',
    'how much usdt do i have left',
    'my balances on {exchange}',
    'how much of my money is locked in orders',
    'show free funds',
    'account balance',
    'how much money do i have',
    'available cash on {exchange}',
    'what are my coins worth',
    'how much can i still spend',
    'wallet balance',
    'total value of my accounts',
    'funds on {exchange}',
  ],
  needs: {},
  takes: ['exchange', 'asset'],
  yields: ['declined-action'],
  args: ({ exchange }) => decidedArgs({ exchange }),
  answer: ({ balances, totalValue, hidden, unpriced, accounts }, { asset }) => {
    const named = balances.filter((each) => each.asset === asset);
    const told = named.length > 0 ? named : balances;
    if (balances.length === 0)
      return {
        lead:
          hidden === 0
            ? 'There are no balances on your accounts.'
            : 'Your accounts hold only balances too small to list.',
        ...(faultWords(accounts) === '' ? {} : { caveat: faultWords(accounts).trim() }),
      };
    const lockedWhere = told.filter(({ locked }) => locked !== null && Number(locked) > 0);
    return {
      lead:
        named.length > 0
          ? `You have ${firstOf(named.map(balanceWords), mostTold)}.`
          : `Your accounts are worth ${inQuote(totalValue, 'USDT')}: ${firstOf(told.map(balanceWords), mostTold)}.`,
      figures: [
        lockedWhere.length === 0
          ? 'Nothing of it is locked in orders.'
          : `Locked in orders and positions: ${firstOf(
              lockedWhere.map(({ locked, asset: name }) => `${writeNumber(locked!, 5)} ${name}`),
              mostTold,
            )}.`,
      ],
      caveat: `${leftOutWords(hidden, unpriced)}Gains of open positions are not part of it.${faultWords(accounts)}`,
    };
  },
});

const balanceWords = ({ total, asset, exchange, sharePercent }: BalanceLine): string =>
  `${writeNumber(total, 5)} ${asset} on ${exchange}${sharePercent === null ? '' : ` (${writePercent(sharePercent)} of the total)`}`;

const leftOutWords = (hidden: number, unpriced: readonly string[]): string =>
  [
    ...(hidden === 0
      ? []
      : [`${counted(hidden, 'small balance')} ${hidden === 1 ? 'is' : 'are'} not listed. `]),
    ...(unpriced.length === 0
      ? []
      : [`There is no price of ${firstOf(unpriced, mostTold)}, so the total is without it. `]),
  ].join('');
