import type { listExchanges } from '../../../../operations/exchanges/list-exchanges.js';
import { writeMoment, writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { firstOf, joined } from '../../market-words.js';
import { oneLine } from '../../one-line.js';
import type { OutputOf } from '../../output-of.js';

type Connections = OutputOf<typeof listExchanges>;

type ConnectedLine = Connections['exchanges'][number];

const mostTold = 6;

/** Signed requests are refused by exchanges from about this difference of clocks on. */
const largeLagMs = 1_000;

export const exchangeConnectionsIntent = defineIntent<Connections>({
  name: 'exchange-connections',
  title: 'your connected exchange accounts, their keys and errors',
  tool: 'list_exchange_connections',
  phrases: [
    'which exchanges have i connected',
    'is my {exchange} key working',
    'when did my accounts last sync',
    'permissions of my api keys',
    'are there errors on my exchange connection',
    'connected accounts',
    'is {exchange} linked to my account',
    'can my api key withdraw',
    'why is my {exchange} account not updating',
    'status of my exchange connections',
    'may the service trade on {exchange} for me',
    'did the last read of {exchange} fail',
    'which of my accounts are hooked up',
    'is everything connected',
    'is my {exchange} account still connected',
    'when did {exchange} last sync',
    'what can my {exchange} key do',
    'is my key allowed to trade',
    'did i give withdraw rights',
    'is there a problem with my {exchange} connection',
    'is my key expired',
    'did my exchange connection break',
    'why does my {exchange} account show an error',
    'did the {exchange} sync fail',
    'is my api key ok',
    'are my api keys ok',
    'what permissions do my keys have',
    'is the clock of my {exchange} connection off',
    'is my connection to {exchange} broken',
    'does my {exchange} key have withdraw permission',
    'is my {exchange} connection still syncing',
    'which exchange accounts are connected',
    'status of my linked exchanges',
    'do my keys work',
  ],
  needs: {},
  takes: ['exchange'],
  yields: ['declined-secret', 'declined-action'],
  args: () => ({}),
  answer: ({ exchanges, available }, { exchange }) => {
    const asked = exchanges.find((each) => each.exchange === exchange);
    if (exchange !== undefined && !asked)
      return {
        lead: `${exchange} is not connected to your account${available.includes(exchange) ? ', but can be' : ''}.`,
        ...(exchanges.length === 0
          ? {}
          : { figures: [`Connected: ${joined(exchanges.map((each) => each.exchange))}.`] }),
      };
    const told = asked ? [asked] : exchanges;
    const faulty = told.filter(({ fault }) => fault !== null);
    if (told.length === 0)
      return {
        lead: 'No exchange account is connected.',
        ...(available.length === 0 ? {} : { next: `You can connect ${firstOf(available, mostTold)}.` }),
      };
    return {
      lead: `${
        asked
          ? `${asked.exchange} is connected`
          : `Connected: ${firstOf(
              told.map((each) => each.exchange),
              mostTold,
            )}`
      }, ${faulty.length === 0 ? 'and the last read had no error' : `but the last read of ${joined(faulty.map((each) => each.exchange))} failed`}.`,
      figures: [...faulty.map(faultOf), ...told.slice(0, mostTold).map(rightsWords)],
      caveat: 'No key may withdraw, and keys are never shown.',
    };
  },
});

const faultOf = ({ exchange, fault, failures }: ConnectedLine): string =>
  `${exchange}: ${oneLine(fault ?? '')}; failures in a row: ${writeNumber(failures)}.`;

const rightsWords = ({ exchange, mayTrade, syncedAt, clockLagMs, kind }: ConnectedLine): string => {
  const clock =
    clockLagMs === null || Math.abs(clockLagMs) < largeLagMs
      ? ''
      : `, and its clock is ${writeNumber(Math.abs(clockLagMs))} ms ${clockLagMs > 0 ? 'behind' : 'ahead'}`;
  if (kind === 'paper') return `${exchange} is the simulated account of this service.`;
  const sync =
    syncedAt === null ? 'was not read in full yet' : `was read in full on ${writeMoment(syncedAt)}`;
  return `The key of ${exchange} may ${mayTrade ? 'read and trade' : 'only read'}; the account ${sync}${clock}.`;
};
