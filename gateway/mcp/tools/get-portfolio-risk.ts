import { formatNumber } from '../../../compute/model/format-number.js';
import { getPortfolioRisk } from '../../operations/portfolio/get-portfolio-risk.js';
import { defineTool } from '../tool.js';

interface BookAnswer {
  value: number | null;
  tail95: { varPercent: number | null } | null;
}

/** The parts of the answer that the headline reads; the risk of a book is described by its analysis. */
interface RiskAnswer {
  before: BookAnswer;
  after: BookAnswer | null;
  leverage: { before: number | null; after: number | null };
  labels: { riskProfile: string | null }[];
}

const orUnknown = (value: number | null): string => (value === null ? 'unknown' : formatNumber(value));

export const getPortfolioRiskTool = defineTool({
  name: 'get_portfolio_risk',
  operation: getPortfolioRisk,
  headline: (payload) => {
    const { before, after, leverage, labels } = payload as unknown as RiskAnswer;
    const risky = labels.filter(({ riskProfile }) => riskProfile === 'tooRisky').length;
    const state = (risk: BookAnswer, times: number | null) =>
      `${orUnknown(risk.value)} USDT, 1-day VaR 95 % ${orUnknown(risk.tail95?.varPercent ?? null)} %, leverage ${orUnknown(times)}`;
    const changed = after ? `; after the changes ${state(after, leverage.after)}` : '';
    return `Portfolio of ${state(before, leverage.before)}; ${risky} of ${labels.length} positions are too risky now${changed}.`;
  },
});
