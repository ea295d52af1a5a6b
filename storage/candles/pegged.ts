/** Fiat currencies and assets pegged to one: they have no useful chart, and their balances are cash. */
export const pegged: ReadonlySet<string> = new Set(
  'AEUR BUSD DAI EUR EURI FDUSD GBP PAX PYUSD RLUSD SUSD TUSD USD USD1 USDC USDD USDE USDP USDS UST USTC XUSD'.split(
    ' ',
  ),
);

/** The currency of paper accounts and prices. */
export const quoteCurrency = 'USDT';

/** Whether an asset counts as cash, not as a position. */
export const isCash = (asset: string): boolean => asset === quoteCurrency || pegged.has(asset);

/** Cash that is not worth one unit of the quote currency. */
const otherCash: ReadonlySet<string> = new Set(['AEUR', 'EUR', 'EURI', 'GBP', 'UST', 'USTC']);

/** Whether a unit of the asset counts as worth one unit of the quote currency where no price of it is known. */
export const isDollar = (asset: string): boolean => isCash(asset) && !otherCash.has(asset);
