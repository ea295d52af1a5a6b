import type { getPortfolioStatus } from '../../operations/portfolio/get-portfolio-status.js';
import { writeNumber } from './format.js';
import type { Prose } from './intent.js';
import { firstOf, joined } from './market-words.js';
import type { OutputOf } from './output-of.js';
import { profitWords } from './outcome-words.js';

export type PortfolioStatus = OutputOf<typeof getPortfolioStatus>;

type StatusLine = PortfolioStatus['positions'][number];

const mostNamed = 8;

/** "0.5 BTC on BINANCE with a profit of 120 USDT". */
export const positionWords = ({ side, quantity, asset, exchange, pnl }: StatusLine): string =>
  `${side === 'short' ? 'short ' : ''}${writeNumber(quantity, 5)} ${asset} on ${exchange} (${pnl === null ? 'profit unknown' : profitWords(pnl, 'USDT')})`;

/** Which positions a trend state opposes, and which accounts could not be read. */
export function againstWords(
  positions: readonly StatusLine[],
  accounts: PortfolioStatus['accounts'],
): string {
  const against = [...new Set(positions.filter(({ conflict }) => conflict).map(({ asset }) => asset))];
  const unknown = positions.filter(
    (each) => each.state1h === null && each.state4h === null && each.state1d === null,
  );
  const opposed =
    against.length === 0
      ? 'No trend state opposes them'
      : `The trend state opposes ${firstOf(against, mostNamed)}`;
  const without =
    unknown.length === 0
      ? ''
      : `; ${firstOf([...new Set(unknown.map(({ asset }) => asset))], mostNamed)} ${unknown.length === 1 ? 'has' : 'have'} no state, for lack of history`;
  return `${opposed}${without}.${faultWords(accounts)}`;
}

/** Accounts whose latest read failed, as a sentence. */
export function faultWords(accounts: PortfolioStatus['accounts']): string {
  const faulty = accounts.filter(({ fault }) => fault !== null).map(({ exchange }) => exchange);
  return faulty.length === 0
    ? ''
    : ` ${joined(faulty)} could not be read last time, so figures from there may be old.`;
}

/** The answer to a user without open positions. */
export const noPositions = (accounts: PortfolioStatus['accounts']): Prose => ({
  lead: 'You have no open positions on any connected account.',
  isWithoutData: true,
  ...(faultWords(accounts) === '' ? {} : { caveat: faultWords(accounts).trim() }),
});
