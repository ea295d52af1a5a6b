import Joi from 'joi';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { imageUrl, percent, price } from './signal-values.js';
import { wrongField, type SignalFault } from './signal-faults.js';

const longestDescription = 1_000;
const secondMs = 1_000;
const yearMs = 31_536_000_000;

/** Most targets by version of the API. */
export const mostTargets = { 1: 6, 2: 5 } as const;

type Texts<Name extends string> = Partial<Record<Name, string>>;

/** The fields of a signal that both versions have. */
export type SharedFields = Texts<
  'stop_loss' | 'attachment_image1_url' | 'attachment_image2_url' | 'attachment_description'
> & {
  coin: string;
  trade_market: 'USDT' | 'BTC';
  exchange: string;
  type: 'long' | 'short';
  ttl_buy_order?: number;
  confirm_price?: boolean;
};

type CreateV1Fields = SharedFields &
  Record<'buy_price_min' | 'buy_price_max', string> &
  Texts<'invest' | `sell_price_${number}`>;

type CreateV2Fields = SharedFields &
  Record<'invest' | 'entry_price_max', string> &
  Texts<`entry_price_${'min' | 'mid'}` | `invest_entry_${'min' | 'mid' | 'max'}` | `exit_price_${number}`> & {
    account: TradingAccount;
    leverage: number;
    margin_type: 'ISOLATED' | 'CROSS';
    entry_mode: 'range' | 'market';
  };

const shared = {
  coin: Joi.string()
    .pattern(/^[A-Z0-9]{1,20}$/, 'an asset symbol in upper case, as in BTC')
    .required()
    .description('asset symbol')
    .example('BTC'),
  trade_market: Joi.string().valid('USDT', 'BTC').required().description('quote currency').example('USDT'),
  exchange: Joi.string().max(40).required().description('name of an exchange').example('BINANCE'),
  stop_loss: price('price at which the position is sold at a loss').example('80'),
  type: Joi.string().valid('long', 'short').default('long').description('direction'),
  ttl_buy_order: Joi.number()
    .integer()
    .min(secondMs)
    .max(yearMs)
    .description('for how long entries wait, in milliseconds: 1 second to 1 year'),
  confirm_price: Joi.boolean().description(
    'whether an entry price is meant that is more than 5 % worse than the market (above it, or below it for a short), or whose market has no known price',
  ),
  attachment_image1_url: imageUrl('https address of a chart image'),
  attachment_image2_url: imageUrl('https address of another image'),
  attachment_description: Joi.string().max(longestDescription).description('a description'),
};

const targetPrices = (prefix: string, count: number): Record<string, Joi.Schema> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const target = price(`take-profit target ${index + 1}`).example(String(120 + 10 * index));
      return [`${prefix}_${index + 1}`, index === 0 ? target.required() : target];
    }),
  );

/** Version 1: an entry range and up to 6 targets. */
export const createV1Fields = Joi.object<CreateV1Fields>({
  ...shared,
  buy_price_min: price('lower end of the entry range').required().example('100'),
  buy_price_max: price('upper end of the entry range').required().example('110'),
  ...targetPrices('sell_price', mostTargets[1]),
  invest: percent('percent of the balance of each subscriber; without it, what they have set').example(5),
});

/** Version 2: leverage, margin, and up to three entry prices, of which a share is invested at each. */
export const createV2Fields = Joi.object<CreateV2Fields>({
  ...shared,
  invest: percent('percent of the balance of each subscriber').required().example(5),
  entry_price_max: price('upper end of the entry prices').required().example('110'),
  entry_price_min: price('lower end of the entry prices').example('100'),
  entry_price_mid: price('a price between them').example('105'),
  ...targetPrices('exit_price', mostTargets[2]),
  account: Joi.string().valid('SPOT', 'MARGIN', 'FUTURES').default('SPOT').description('account that trades'),
  leverage: Joi.number().integer().min(1).max(125).default(1).description('multiplier; above 1 not for SPOT'),
  margin_type: Joi.string().valid('ISOLATED', 'CROSS').default('ISOLATED').description('kind of margin'),
  entry_mode: Joi.string()
    .valid('range', 'market')
    .default('range')
    .description(
      'range: a limit order when the price is in the range; market: at once, if the price is not above entry_price_max',
    ),
  invest_entry_min: percent('percent of the investment at entry_price_min; the shares add up to 100'),
  invest_entry_mid: percent('percent of the investment at entry_price_mid'),
  invest_entry_max: percent('percent of the investment at entry_price_max'),
});

const v1Names = Object.keys(createV1Fields.describe().keys as object);

const camel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The name in snake_case of each name that formatted_text may have. */
const snakeNames = new Map(v1Names.flatMap((name) => [[name, name] as const, [camel(name), name] as const]));

/**
 * The published schema of formatted_text: the fields of version 1, and `targets` as a list in place of sell_price_1 to
 * sell_price_6. The names in camelCase are accepted too, but not published: generated clients would have each field twice.
 */
export const formattedText = Joi.object({
  ...Object.fromEntries(v1Names.map((name) => [name, createV1Fields.extract(name).optional()])),
  targets: Joi.array()
    .items(price('a target'))
    .min(1)
    .max(mostTargets[1])
    .description('take-profit targets, the nearest first, in place of sell_price_1 to sell_price_6')
    .example(['120', '130']),
}).description(
  'a signal that was parsed elsewhere; the other fields are ignored. Names may also be in camelCase: buyPriceMin',
);

/** The fields of version 1 in a formatted_text. A field that is given in two ways is a fault, as is an unknown one. */
export function readFormattedText(given: unknown): {
  fields: Record<string, unknown>;
  faults: SignalFault[];
} {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { fields: {}, faults: [wrongField('formatted_text', 'must be an object')] };
  const fields: Record<string, unknown> = {};
  const faults: SignalFault[] = [];
  const put = (name: string, value: unknown, source: string) => {
    if (Object.hasOwn(fields, name))
      faults.push(wrongField(`formatted_text.${source}`, `gives "${name}" twice`));
    fields[name] = value;
  };
  for (const [name, value] of Object.entries(given)) {
    const plain = snakeNames.get(name);
    if (name === 'targets') putTargets(value, put, faults);
    else if (plain === undefined)
      faults.push(wrongField(`formatted_text.${name.slice(0, 40)}`, 'is not allowed'));
    else put(plain, value, name);
  }
  return { fields, faults };
}

function putTargets(
  given: unknown,
  put: (name: string, value: unknown, source: string) => void,
  faults: SignalFault[],
): void {
  if (Array.isArray(given) && given.length > 0 && given.length <= mostTargets[1])
    return given.forEach((value: unknown, index) => put(`sell_price_${index + 1}`, value, 'targets'));
  faults.push(wrongField('formatted_text.targets', `must be a list of 1 to ${mostTargets[1]} prices`));
}
