/** What a user has made of a stored backtest. */
export interface BacktestMarks {
  name: string | null;
  note: string | null;
  /** It does not expire, and does not count among the newest. */
  isKept: boolean;
  /** Whoever has the token can read the report; null: its owner alone. */
  share: { token: string; sharedAt: Date } | null;
}

/** What a user may change of them. */
export type BacktestChange = Partial<Omit<BacktestMarks, 'share'>>;
