import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Change } from '../../parts/marks.js';
import { Choice } from '../../parts/controls.js';
import { column, DataTable } from '../../parts/data-table.js';
import { capital, numberText, quantityText, shareText } from '../../parts/formats.js';
import { Panel } from '../../parts/page.js';

type ProfitRow = RoutePayload<'GET /backend/pnl'>['rows'][number];

const groups = ['asset', 'exchange', 'channel', 'day'] as const;
const periods = ['7d', '30d', '1y'] as const;

/** Booked and open profits, by what the user chooses. */
export function Profits() {
  const [groupBy, setGroupBy] = useState<(typeof groups)[number]>('asset');
  const [period, setPeriod] = useState<(typeof periods)[number]>('30d');
  const answer = useAnswer('GET /backend/pnl', { groupBy, period }, ['position', 'order']);
  return (
    <Panel
      title="PnL"
      answer={answer}
      size={10}
      tools={
        <span class="tools">
          <Choice label="By" value={groupBy} options={groups} onChange={setGroupBy} />
          <Choice label="Since" value={period} options={periods} onChange={setPeriod} />
        </span>
      }
    >
      {({ rows, totals }) => (
        <>
          {totals.map(({ tradeMarket, profit, funding, trades, winRatePercent }) => (
            <p key={tradeMarket}>
              <Change value={profit} text={`${numberText(profit)} ${tradeMarket}`} /> in {trades} trades, won{' '}
              {shareText(winRatePercent)}, funding {numberText(funding)}
            </p>
          ))}
          <DataTable<ProfitRow>
            caption="Profits"
            rows={rows}
            keyOf={({ group, tradeMarket }) => group + tradeMarket}
            empty="Nothing was sold in this time."
            columns={[
              column.word(capital(groupBy), 'group', 'start'),
              column.change('Profit', 'profit', 'end', numberText),
              column.change('Open', 'unrealised', 'below-end', numberText),
              column.word('Fees', ({ fees }) =>
                fees.map(({ asset, amount }) => `${quantityText(amount)} ${asset}`).join(', '),
              ),
            ]}
          />
        </>
      )}
    </Panel>
  );
}
