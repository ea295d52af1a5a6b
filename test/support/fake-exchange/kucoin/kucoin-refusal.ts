import type { ExchangeRefusal } from '../book/exchange-refusal.js';

interface Words {
  code: string;
  message: string;
}

/** What the book refuses with Binance's codes, in KuCoin's. */
const words: readonly [RegExp, string, string][] = [
  [/^-1121/, '400100', 'Unsupported trading pair.'],
  [/^-1100|^-1102/, '400100', 'Parameter error'],
  [/PRICE_FILTER|^-4014/, '400100', 'Price increment invalid.'],
  [/MARKET_LOT_SIZE|^-4005/, '100001', 'The quantity exceeds the maximum.'],
  [/LOT_SIZE|^-1111/, '600100', 'Order size increment invalid.'],
  [/NOTIONAL|^-4164/, '600101', 'The order funds should more then 0.1 USDT.'],
  [/insufficient/, '200004', 'Balance insufficient!'],
  [/^-2019/, '300003', 'The available balance is insufficient.'],
  [/Duplicate|^-4116/, '126044', 'clientOid duplicate'],
  [/^-2011/, '400100', 'order_not_exist_or_not_allow_to_cancel'],
  [/^-2013/, '100001', 'error.getOrder.orderNotExist'],
  [/^-2022/, '300009', 'No open positions to close.'],
  [/^-4061/, '330011', "The order's position mode does not match your selected mode."],
  [/^-2021/, '300012', 'The stop price was passed already.'],
  [/PERCENT_PRICE|^-4016/, '400370', 'Max. price: the limit of the order price'],
  [/^-4024/, '400760', 'order price should be more than the limit'],
  [/closed/, '400200', 'Forbidden to place an order'],
  [/^-1016/, '500000', 'Internal Server Error'],
  [/^-2014|^-2015/, '400003', 'KC-API-KEY not exists'],
  [/^-1022/, '400005', 'Invalid KC-API-SIGN'],
  [/^-1021/, '400002', 'Invalid KC-API-TIMESTAMP'],
];

/** A refusal in KuCoin's words; its own stay as they are. */
export function kucoinRefusal({ code, message }: ExchangeRefusal): Words {
  if (code > 0) return { code: String(code), message };
  const found = words.find(([pattern]) => pattern.test(`${code} ${message}`));
  return found ? { code: found[1], message: found[2] } : { code: '500000', message };
}
