export const tradingAccounts = ['SPOT', 'MARGIN', 'FUTURES'] as const;

/** Which account of an exchange is traded on. */
export type TradingAccount = (typeof tradingAccounts)[number];

/** What backs a position: its own margin, or everything in the account. */
export type MarginMode = 'ISOLATED' | 'CROSS';
