import type { Answered } from '../../answered.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { joined, sentence } from '../../market-words.js';

type Summary = Answered<'technical-summary'>;

const groupNames = ['trend', 'momentum', 'volatility', 'volume'] as const;

export const technicalSummaryIntent = defineIntent<Summary>({
  name: 'technical-summary',
  title: 'a technical summary: the votes of all indicators and where they contradict each other',
  tool: 'get_technical_summary',
  phrases: [
    'technical summary of {asset}',
    'technical analysis of {asset} on {interval}',
    'what do the indicators say about {asset}',
    '{asset} ta',
    'how does {asset} look technically',
    'overall verdict on {asset} on {interval}',
    'sum up the indicators for {asset}',
    'do the indicators agree on {asset}',
    'quick analysis of {asset} please',
    'how is {asset} looking',
    'analyse {asset}',
    'bull or bear on {asset}?',
    'how many indicators are bullish on {asset}',
    'rundown of the technicals of {asset}',
    'full technical picture of {asset}',
    'give me the full picture on {asset}',
    'what is your read on {asset} technically',
    'run the indicators on {asset}',
    'how does the chart of {asset} look',
    'are the indicators for or against {asset}',
    'technical check {asset}',
    'do the technicals favour {asset}',
    'indicator scorecard of {asset}',
    'summarise {asset} for me',
    'quick take on {asset}',
    'all indicators of {asset} in one verdict',
    'are the signals on {asset} mostly bullish',
    'is there any conflict between the indicators on {asset}',
    'technical rating of {asset}',
    'votes of the indicators on {asset}',
    'one call overview of {asset}',
    'how many indicators vote {state} on {asset}',
    'overall technical picture of {asset}',
    'do the indicators lean {state} on {asset}',
    'where do the indicators of {asset} contradict each other',
    'technical score of {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket'],
  yields: ['trend-state'],
  args: seriesArgs,
  answer: ({ asset, interval, verdict, score, groups, conflicts, conditions }) => ({
    lead: `The indicators of ${asset} on ${interval} are ${verdict} in sum, with a score of ${writeNumber(score, 2)}.`,
    figures: [
      `${sentence(groupWords(groups))}.`,
      `The trend indicators cast ${voteWords(groups.trend)}, the oscillators ${voteWords(groups.momentum)}.`,
    ],
    caveat: caveatWords(conflicts, conditions),
  }),
});

/** Groups with the same verdict go together: "trend and volume are bullish; momentum is neutral". */
function groupWords(groups: Summary['groups']): string {
  const verdicts = [...new Set(groupNames.map((name) => groups[name].verdict))];
  const clauses = verdicts.map((verdict) => {
    const names = groupNames.filter((name) => groups[name].verdict === verdict);
    return `${joined(names)} ${names.length === 1 ? 'is' : 'are'} ${verdict}`;
  });
  return clauses.join('; ');
}

/** "1 bullish, 2 bearish and 3 neutral votes", without what no indicator votes for. */
function voteWords({ bullish, bearish, neutral }: Summary['groups']['trend']): string {
  const votes = Object.entries({ bullish, bearish, neutral }).filter(([, count]) => count > 0);
  const isOne = votes.length === 1 && votes[0][1] === 1;
  return `${joined(votes.map(([side, count]) => `${count} ${side}`))} ${isOne ? 'vote' : 'votes'}`;
}

function caveatWords(
  conflicts: Summary['conflicts'],
  { trendStrength, squeeze }: Summary['conditions'],
): string {
  if (conflicts.length > 0)
    return `The readings contradict each other: ${conflicts
      .slice(0, 2)
      .map(({ says }) => says)
      .join('; ')}.`;
  if (squeeze) return 'The bands are in a squeeze, which may break either way.';
  return trendStrength === 'weak'
    ? 'The trend is weak by ADX, so a direction means little.'
    : 'No reading contradicts another; a summary of indicators still looks back, not ahead.';
}
