/** What an API key may do besides reading. */
export interface KeyPermissions {
  mayTrade: boolean;
  mayWithdraw: boolean;
  /** Why no orders can be placed for the account of the key; absent if they can, or the key may not trade. */
  objection?: string;
}
