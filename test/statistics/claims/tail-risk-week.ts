import { tailRiskClaim } from '../tail-risk-claim.js';

export const tailRiskWeek = tailRiskClaim('a week', 7, 1_826);
