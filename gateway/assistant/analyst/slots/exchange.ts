import type { Question } from './question.js';

/** Exchanges that people name, by the words for them; the names are those of list_exchanges. */
const exchanges: Readonly<Record<string, string>> = {
  binance: 'BINANCE',
  bybit: 'BYBIT',
  kucoin: 'KUCOIN',
  okx: 'OKX',
  okex: 'OKX',
  kraken: 'KRAKEN',
  coinbase: 'COINBASE',
  bitget: 'BITGET',
  bitfinex: 'BITFINEX',
  gateio: 'GATEIO',
  mexc: 'MEXC',
  paper: 'PAPER',
};

/** Reads the exchange. "Paper" is one beside "account", "exchange" and the like. */
export function readExchange(question: Question): void {
  question.tokens.forEach((_, at) => {
    const word = question.word(at);
    if (!question.isFree(at) || !Object.hasOwn(exchanges, word)) return;
    question.slots.exchange ??= exchanges[word];
    question.take('exchange', at, at + 1);
  });
}

/** The words for exchanges, for the vocabulary. */
export const exchangeWords: readonly string[] = Object.keys(exchanges);
