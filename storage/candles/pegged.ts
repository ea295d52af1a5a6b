/** Currencies that follow a currency of the world, or are one: their charts say nothing, and what is held of them is cash. */
export const pegged: ReadonlySet<string> = new Set(
  'AEUR BUSD DAI EUR EURI FDUSD GBP PAX PYUSD RLUSD SUSD TUSD USD USD1 USDC USDD USDE USDP USDS UST USTC XUSD'.split(
    ' ',
  ),
);

/** What paper accounts and prices are counted in. */
export const quoteCurrency = 'USDT';

/** Whether an asset counts as cash: it is no position. */
export const isCash = (asset: string): boolean => asset === quoteCurrency || pegged.has(asset);
