import Joi from 'joi';
import { MongoClient } from 'mongodb';
import { readPairChoice } from '../../compute/model/market-pair.js';
import { redisUrls, sentinelAddress } from '../servers/redis-url.js';
import { exchangeIds } from '../exchanges/exchange-ids.js';
import { readIssuers } from '../users/idp-issuers.js';

/** A URL with one of these schemes; empty by default. */
export const serverUrl = (schemes: string[]) => Joi.string().uri({ scheme: schemes }).allow('').default('');

/** The URL of the service: pages, cookies and the documents of OAuth are at the top of a name, so it has no path. */
export const publicUrl = Joi.string()
  .allow('')
  .default('')
  .custom((text: string) => {
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
      throw new Error('more than an origin');
    return text;
  })
  .message(
    '{{#label}} must be http:// or https:// with a name, and no path as in https://tidemark.example.com',
  );

const isRedisUrl = (text: string) =>
  (/^(?:rediss?:\/\/|unix:\/)/.test(text) && URL.canParse(text)) || sentinelAddress(text) !== undefined;

/** The URL of a Redis, or of a primary by its sentinels, whose list of hosts is no URI by RFC 3986; or several different ones. */
export const redisUrl = Joi.string()
  .allow('')
  .default('')
  .custom((text: string) => {
    const urls = redisUrls(text);
    if (!urls.every(isRedisUrl) || new Set(urls).size < urls.length) throw new Error('not a URL');
    return text;
  })
  .message(
    '{{#label}} must be an address of Redis (redis://host:6379, rediss://..., unix:///path, or redis+sentinel://host:26379,host:26379/NAME), or several different ones with blanks between',
  );

/** A MongoDB URL, checked by the driver, because a list of hosts with ports is not a URI by RFC 3986. */
export const mongodbUrl = Joi.string()
  .allow('')
  .default('')
  .custom((text: string) => (new MongoClient(text), text))
  .message('{{#label}} must be an address of MongoDB (mongodb://... or mongodb+srv://...)');

const knownExchanges = ['binance', 'bitget', 'bybit', 'coinbase', 'gate', 'kraken', 'kucoin', 'okx'];

/** `demo`, `csv` or an exchange id of ccxt. */
export const marketId = Joi.string()
  .default('demo')
  .custom((id: string) => {
    if (id !== 'demo' && id !== 'csv' && !exchangeIds().includes(id)) throw new Error('not known');
    return id;
  })
  .message(
    `{{#label}} must be demo, csv or the id of an exchange that ccxt knows (${knownExchanges.join(', ')} and others)`,
  );

/** A list of pairs, or a number of pairs. */
export const marketPairs = Joi.string()
  .default('50')
  .custom((text: string) => (readPairChoice(text), text))
  .message('{{#label}} must be pairs as in BTC/USDT,ETH/USDT or a number from 1 to 1000');

/** Origins separated by commas, as browsers send them. */
export const origins = Joi.string()
  .default([])
  .meta({ default: '' })
  .custom((text: string) => {
    const list = text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    if (list.some((each) => !URL.canParse(each) || new URL(each).origin !== each))
      throw new Error('not an origin');
    return list;
  })
  .message(
    '{{#label}} must be origins as in https://app.example.com,http://localhost:5173',
  ) as unknown as Joi.ArraySchema<string[]>;

/** Identity providers, as `readIssuers` parses them. */
export const issuerList = Joi.string()
  .allow('')
  .default('')
  .custom((text: string) => (readIssuers(text), text))
  .message(
    '{{#label}} must be pairs of issuer and audience, each optionally with the address of its keys, separated by commas; all addresses must be https',
  );

/** Places in a list, from 1, separated by commas. */
export const placeList = Joi.string()
  .default([])
  .meta({ default: '' })
  .custom((text: string) => {
    const list = [...new Set(text.split(',').map(Number))];
    if (!list.every((place) => Number.isInteger(place) && place > 0)) throw new Error('not a place');
    return list;
  })
  .message('{{#label}} must be places from 1 on as in 1,3') as unknown as Joi.ArraySchema<number[]>;

/** One of a few words. */
export const oneWord = <const Word extends string>(...words: Word[]) => Joi.string<Word>().valid(...words);

/** A whole number within limits. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  Joi.number().integer().min(min).max(max);

/** Host names separated by commas, in lower case and without ports. */
export function readHosts(text: string): string[] {
  const hosts = text
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  const wrong = hosts.find((each) => !/^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(each));
  if (wrong !== undefined) throw new RangeError(`expected host names without ports, found "${wrong}"`);
  return hosts;
}

const readMessages = { 'any.custom': '{{#label}} is not understood: {{#error.message}}' };

/** A text that `read` turns into a list. An error of `read` becomes the message. */
export const listOf = <Item extends string>(read: (text: string) => Item[], defaults: readonly Item[]) =>
  Joi.string()
    .default([...defaults])
    .meta({ default: '' })
    .custom(read)
    .messages(readMessages) as unknown as Joi.ArraySchema<Item[]>;

/** A text that `read` must accept. An error of `read` becomes the message. */
export const readableBy = (read: (text: string) => unknown) =>
  Joi.string()
    .custom((text: string) => (read(text), text))
    .messages(readMessages);
