import type { ExchangeRefusal } from '../book/exchange-refusal.js';

interface Words {
  code: number;
  message: string;
}

const outOfRange = 'Order price is out of permissible range';

/** What the book refuses with Binance's codes, in Bybit's: on spot and on linear futures. */
const words: readonly [RegExp, Words, Words][] = [
  [/^-1121/, w(170121, 'Invalid symbol.'), w(10001, 'params error: symbol invalid')],
  [/^-1100/, w(10001, 'orderLinkId is invalid'), w(10001, 'orderLinkId is invalid')],
  [/^-1102/, w(10001, 'Missing some parameters that must be filled in'), w(10001, 'Missing some parameters')],
  [/PRICE_FILTER|^-4014/, w(170134, 'Order price has too many decimals.'), w(10001, 'params error: price')],
  [
    /MARKET_LOT_SIZE|^-4005/,
    w(170382, 'Market order quantity exceeded upper limit.'),
    w(10001, 'The number of contracts exceeds maximum limit allowed: too large'),
  ],
  [/LOT_SIZE|^-1111/, w(170137, 'Order quantity has too many decimals.'), w(10001, 'Qty invalid')],
  [/NOTIONAL|^-4164/, w(170140, 'Order value exceeded lower limit.'), w(110094, 'Order notional too low')],
  [/insufficient|^-2019/, w(170131, 'Insufficient balance.'), w(110007, 'ab not enough for new order')],
  [/Duplicate|^-4116/, w(170141, 'Duplicate clientOrderId.'), w(110072, 'OrderLinkedID is duplicate')],
  [/^-2011|^-2013/, w(170213, 'Order does not exist.'), w(110001, 'order not exists or too late to cancel')],
  [/^-2022/, w(170210, 'New order rejected.'), w(110017, 'current position is zero, cannot fix reduce-only')],
  [
    /^-4061/,
    w(10001, 'position idx not match position mode'),
    w(10001, 'position idx not match position mode'),
  ],
  [/^-2021/, w(170210, 'New order rejected.'), w(110093, 'expect Falling, but trigger_price >= current')],
  [
    /PERCENT_PRICE|^-4016/,
    w(170193, 'Buy order price cannot be higher than the limit.'),
    w(110003, outOfRange),
  ],
  [/^-4024/, w(170194, 'Sell order price cannot be lower than the limit.'), w(110003, outOfRange)],
  [/closed/, w(110066, 'No trading is allowed at the current time'), w(110066, 'No trading is allowed')],
  [/^-1016/, w(10016, 'Service is restarting'), w(10016, 'Service is restarting')],
  [/^-2015/, w(10003, 'API key is invalid.'), w(10003, 'API key is invalid.')],
];

function w(code: number, message: string): Words {
  return { code, message };
}

/** A refusal in Bybit's words; its own stay as they are. */
export function bybitRefusal({ code, message }: ExchangeRefusal, category: string): Words {
  if (code > 0) return { code, message };
  const found = words.find(([pattern]) => pattern.test(`${code} ${message}`));
  if (!found) return { code: 10016, message };
  return category === 'linear' ? found[2] : found[1];
}
