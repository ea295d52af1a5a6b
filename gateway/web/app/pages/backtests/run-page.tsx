import type { RouteInput } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { AskedAction } from '../../parts/dialogs.js';
import { Lines } from '../../parts/lists.js';
import { Panel } from '../../parts/page.js';
import { go, type PageProps } from '../../shell/route.js';
import { Luck, UnseenTime } from './luck.js';
import { ReportPage } from './report.js';

type CheckInput = RouteInput<'POST /backend/research/check'>;

/** The report of a run of own rules, with the rules in plain English. */
export function OneRunPage({ params: { id } }: PageProps) {
  const answer = useAnswer('GET /backend/research/runs/{id}', { id });
  const report = answer.data;
  const rules = useAnswer(
    'POST /backend/research/check',
    report && { strategy: report.rules as CheckInput['strategy'], interval: report.interval },
  );
  return (
    <ReportPage
      answer={answer}
      titleOf={({ assets }) => `Backtest: own rules on ${assets.join(', ')}`}
      about={({ interval, window: { from, to }, source }) =>
        `${interval} · ${from.slice(0, 10)} to ${to.slice(0, 10)} · ${source}`
      }
      tools={() => (
        <AskedAction
          route="DELETE /backend/research/runs/{id}"
          input={{ id }}
          verb="Delete"
          label="Delete this backtest"
          question="The report and its trades are gone then. The rules stay where they are saved."
          onDone={() => go('/app/backtests')}
        />
      )}
      csv={`/backend/research/runs/${id}/trades.csv`}
    >
      {({ rules: strategy, assets: [asset], interval, tradeMarket, window: { from, to } }) => (
        <>
          <Panel title="Rules" answer={rules}>
            {(checked) => <Lines of={checked.rules} />}
          </Panel>
          <div class="columns">
            <Luck id={id} isOwnRules />
            <UnseenTime
              route="POST /backend/research/walk-forward"
              input={{ strategy, asset, interval, tradeMarket, from, to }}
            />
          </div>
        </>
      )}
    </ReportPage>
  );
}
