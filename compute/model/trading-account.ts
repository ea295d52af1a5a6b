/** Which account of an exchange is traded on. */
export type TradingAccount = 'SPOT' | 'MARGIN' | 'FUTURES';

/** What backs a position: its own margin, or everything in the account. */
export type MarginMode = 'ISOLATED' | 'CROSS';
