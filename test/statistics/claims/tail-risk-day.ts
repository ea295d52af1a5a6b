import { tailRiskClaim } from '../tail-risk-claim.js';

export const tailRiskDay = tailRiskClaim('a day', 1, 731);
