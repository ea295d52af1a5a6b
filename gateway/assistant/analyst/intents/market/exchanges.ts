import type { supportedExchanges } from '../../../../operations/exchanges/supported-exchanges.js';
import { writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { joined } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type Exchange = OutputOf<typeof supportedExchanges>['exchanges'][number];

export const exchangesIntent = defineIntent<OutputOf<typeof supportedExchanges>>({
  name: 'exchanges',
  title: 'the supported exchanges, their fees, and whether signals are executed there',
  tool: 'list_exchanges',
  phrases: [
    'which exchanges do you support',
    'list of exchanges',
    'can I connect {exchange}',
    'do you support {exchange}',
    'what are the fees on {exchange}',
    'maker and taker fees',
    'is {exchange} working',
    'is {exchange} down',
    'where can signals be executed',
    'supported exchanges',
    'which brokers can I use',
    'does {exchange} have futures here',
    'trading fees of {exchange}',
    'which exchanges work with this',
    'where can I connect an account',
    'what does {exchange} charge',
    'which exchanges can execute signals automatically',
    'which exchanges can trade signals for me',
    'is {exchange} supported',
    'can i use {exchange} with this',
    'can i hook up {exchange}',
    'does it work with {exchange}',
    'how expensive is trading on {exchange}',
    'cheapest exchange for fees',
    'what commission does {exchange} take',
    'are there problems at {exchange}',
    'which venues offer spot and futures',
    'does {exchange} have an outage',
    'what does a trade on {exchange} cost me',
    'what venues can you connect to',
    'list the supported platforms',
    'is any exchange down right now',
    'which exchanges are online',
    'which exchanges support margin',
    'fee tiers of every exchange',
    'where do futures work',
    'can signals be auto executed on {exchange}',
    'which platforms allow automatic execution',
    'operating status of the exchanges',
    'maker and taker fees of {exchange}',
    'compare the exchanges',
    'where would my signals get executed',
  ],
  needs: {},
  takes: ['exchange'],
  args: () => ({}),
  answer: ({ exchanges }, { exchange: asked }) => {
    const one = exchanges.find(({ exchange }) => exchange === asked);
    return one ? oneWords(one) : allWords(exchanges, asked);
  },
});

function oneWords(exchange: Exchange) {
  const accounts = accountsOf(exchange);
  const { exchange: name, status, statusReason, autoExecution, autoExecutionReason } = exchange;
  return {
    lead: `${name} is supported${accounts === '' ? '' : ` for ${accounts} accounts`}${status === 'paused' ? `, but paused: ${statusReason ?? 'it failed'}` : ''}.`,
    figures: [
      feeWords(exchange),
      autoExecution
        ? 'Signals can be executed there.'
        : `Signals are not executed there: ${autoExecutionReason ?? 'the reason is unknown'}.`,
    ],
    caveat: 'The fees are those of the base tier; your own may be lower.',
  };
}

const accountsOf = ({ spot, margin, futures }: Exchange): string =>
  joined([...(spot ? ['spot'] : []), ...(margin ? ['margin'] : []), ...(futures ? ['futures'] : [])]);

const feeWords = ({ makerPercent, takerPercent }: Exchange): string =>
  makerPercent === null || takerPercent === null
    ? 'Its fees are not known here.'
    : `A spot order that waits in the book costs ${writePercent(makerPercent)}, one that fills at once ${writePercent(takerPercent)}.`;

function allWords(exchanges: readonly Exchange[], asked: string | undefined) {
  const names = (all: readonly Exchange[]) => joined(all.map(({ exchange }) => exchange));
  const paused = exchanges.filter(({ status }) => status === 'paused');
  const trading = exchanges.filter(({ autoExecution }) => autoExecution);
  const lead = `The supported exchanges are ${names(exchanges)}.`;
  return {
    lead: asked === undefined ? lead : `${asked} is not supported. ${lead}`,
    figures: [
      trading.length > 0
        ? `Signals are executed on ${names(trading)}.`
        : 'Signals are executed on none of them now.',
    ],
    ...(paused.length > 0 ? { caveat: `Paused because it failed: ${names(paused)}.` } : {}),
  };
}
