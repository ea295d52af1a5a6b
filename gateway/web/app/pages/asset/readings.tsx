import { useAnswer } from '../../client/use-answer.js';
import { capital, sentence } from '../../parts/formats.js';
import { Panel } from '../../parts/page.js';
import type { ChartInterval } from '../../parts/interval-choice.js';

const signs = { bullish: '▲', bearish: '▼', neutral: '●' } as const;

/** What the indicators say, by group, each with its reason. */
export function ReadingsPanel({ asset, interval }: { asset: string; interval: ChartInterval }) {
  const answer = useAnswer('POST /backend/analysis/technical-summary', { asset, interval }, ['candle']);
  return (
    <Panel title="Readings" answer={answer} size={14}>
      {({ verdict, groups, votes, picture }) => (
        <>
          <p>
            <strong>{capital(verdict)}</strong>. {sentence(picture.says)}
          </p>
          {Object.entries(groups).map(([group, { verdict: said, bullish, bearish, neutral }]) => (
            <details key={group}>
              <summary>
                {capital(group)}: {said}
                <span class="quiet end">
                  {signs.bullish} {bullish} {signs.neutral} {neutral} {signs.bearish} {bearish}
                </span>
              </summary>
              <ul class="evidence">
                {votes
                  .filter((each) => each.group === group)
                  .map(({ indicator, vote, reason }) => (
                    <li key={indicator}>
                      <span aria-hidden="true">{signs[vote]}</span> <span class="unseen">{vote}: </span>
                      {reason}
                    </li>
                  ))}
              </ul>
            </details>
          ))}
        </>
      )}
    </Panel>
  );
}
