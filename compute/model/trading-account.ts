export const tradingAccounts = ['SPOT', 'MARGIN', 'FUTURES'] as const;

/** The account of an exchange on which orders are placed. */
export type TradingAccount = (typeof tradingAccounts)[number];

export const marginModes = ['ISOLATED', 'CROSS'] as const;

/** What backs a position: its own margin, or the rest of the account as well. */
export type MarginMode = (typeof marginModes)[number];
