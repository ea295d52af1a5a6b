/** Limits that no test or benchmark meets by asking much. */
export const unlimited = {
  RATE_GUEST: '1000000',
  RATE_FREE: '1000000',
  RATE_PLUS: '1000000',
  RATE_PRO: '1000000',
  RATE_SIGNED: '1000000',
  RATE_AGENT: '1000000',
  MAX_REQUESTS: '1000000',
  LOGIN_FAILURES: '1000000',
  LOGIN_FAILURES_ADDRESS: '1000000',
};
