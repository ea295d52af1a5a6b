import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { CheckField, toggled } from '../../parts/controls.js';
import { Change } from '../../parts/marks.js';
import { column, DataTable } from '../../parts/data-table.js';
import { Dialog } from '../../parts/dialogs.js';
import { inFull, percentText, shareText } from '../../parts/formats.js';
import { goQuery } from '../../shell/route.js';
import { AnswerFault, Section } from '../../parts/page.js';

type Backtest = RoutePayload<'GET /backend/backtests/{id}'>;

const most = 3;

export const backtestName = ({ name, strategy, asset }: Pick<Backtest, 'name' | 'strategy' | 'asset'>) =>
  name ?? `${strategy} on ${asset}`;

/** The backtests that `?with=` names, as lines for the chart and as a table. */
export function useCompared(withIds: string | null) {
  const ids = (withIds ?? '').split(',').filter(Boolean).slice(0, most);
  // The number of hooks stays the same, however many are compared.
  const answers = Array.from({ length: most }, (_, n) =>
    useAnswer('GET /backend/backtests/{id}', ids[n] === undefined ? null : { id: ids[n] }),
  );
  const found = answers.flatMap(({ data }) => data ?? []);
  const lines = found.map((each) => ({ name: backtestName(each), points: each.equity }));
  const failed = answers.find(({ error }) => error);
  const table = (report: Backtest) =>
    ids.length === 0 ? null : (
      <Section title="Compared">
        {failed && <AnswerFault answer={failed} />}
        <DataTable<Backtest>
          caption="Figures of the compared"
          isWide
          rows={[report, ...found]}
          keyOf="id"
          columns={[
            column.word('Backtest', backtestName),
            column.change('Return', 'totalReturn'),
            column.change('Buy and hold', ({ benchmark }) => benchmark.totalReturn),
            column.figure('Drawdown', 'maxDrawdown', percentText),
            column.figure('Sharpe', 'sharpe'),
            column.figure('Win rate', 'winRate', shareText),
            column.figure('Trades', 'tradeCount', inFull),
          ]}
        />
      </Section>
    );
  return { ids, lines, table };
}

interface CompareProps {
  id: string;
  chosen: readonly string[];
  onClose: () => void;
}

/** Chooses up to three other backtests to compare with. */
export function Compare({ id, chosen, onClose }: CompareProps) {
  const answer = useAnswer('GET /backend/backtests', { limit: 50 });
  const { data } = answer;
  const others = data?.backtests.filter((each) => each.id !== id) ?? [];
  return (
    <Dialog title="Compare with" onClose={onClose}>
      <AnswerFault answer={answer} />
      {data && others.length === 0 && <p class="empty">There is no other backtest yet.</p>}
      <fieldset class="checks">
        <legend class="unseen">Up to {most} backtests</legend>
        {others.map((each) => (
          <CheckField
            key={each.id}
            isChecked={chosen.includes(each.id)}
            disabled={!chosen.includes(each.id) && chosen.length >= most}
            onChange={() => goQuery({ with: toggled(chosen, each.id).join(',') })}
          >
            {backtestName(each)}{' '}
            <span class="quiet">
              {each.interval} {each.period}
            </span>{' '}
            <Change value={each.totalReturn} />
          </CheckField>
        ))}
      </fieldset>
    </Dialog>
  );
}
