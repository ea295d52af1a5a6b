/** What an API key may do besides reading. */
export interface KeyPermissions {
  mayTrade: boolean;
  mayWithdraw: boolean;
}
