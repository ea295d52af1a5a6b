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
    'how much cash have i got',
    'what is left in my account',
    'how much is tied up',
    'how much dry powder do i have',
    'how much {asset} is in my wallet',
    'money available to trade',
    'what have i got on {exchange}',
    'funds not in use',
    'total account size',
    'how rich am i',
    'what is my account worth',
    'how much can i trade with',
    'how many usdt are in my account',
    'how much is in my account',
    'list all balances worth more than {leastAmount}',
    'how is my money split across exchanges',
    'balances above {leastAmount}',
    'hide dust below {leastAmount}',
    'show my balances',
    'free balance on {exchange}',
    'how much {asset} do i have on {exchange}',
    'what is locked in orders',
    'buying power',
    'ignore anything under {leastAmount}',
    'my wallet on {exchange}',
    'how much free usdt have i got on {exchange}',
    'how is my capital distributed over my accounts',
    'everything i own worth at least {leastAmount}',
  ],
  needs: {},
  takes: ['exchange', 'asset', 'leastAmount', 'tradeMarket'],
  yields: ['declined-action'],
  args: ({ exchange, leastAmount }) => decidedArgs({ exchange, min_value: leastAmount }),
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
