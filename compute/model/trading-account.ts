export const tradingAccounts = ['SPOT', 'MARGIN', 'FUTURES'] as const;

/** The account of an exchange on which orders are placed. */
export type TradingAccount = (typeof tradingAccounts)[number];

/** What backs a position: its own margin, or the rest of the account as well. */
export type MarginMode = 'ISOLATED' | 'CROSS';
