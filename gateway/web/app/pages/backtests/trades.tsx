import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { Button } from '../../parts/controls.js';
import { column, DataTable, type TableColumn } from '../../parts/data-table.js';
import { monthNames, plainWords, priceText } from '../../parts/formats.js';
import { Change, Time } from '../../parts/marks.js';
import { Section } from '../../parts/page.js';

type OwnTrade = RoutePayload<'GET /backend/research/runs/{id}'>['trades'][number];
/** A trade of a report, of own rules or not. */
type ShownTrade = Omit<OwnTrade, 'asset' | 'side' | 'quantity' | 'gain' | 'candles'> & Partial<OwnTrade>;

const rowsAtFirst = 25;

const tradeColumns: readonly TableColumn<ShownTrade>[] = [
  column.word(
    'Entry',
    ({ entryTime, asset, side }) => (
      <>
        <Time at={entryTime} /> {asset} {side}
      </>
    ),
    'start',
    'entryTime',
  ),
  column.time('Exit', 'exitTime'),
  column.figure('Price in', 'entryPrice', priceText),
  column.figure('Price out', 'exitPrice', priceText),
  column.change('Return', 'return', 'end'),
  column.word('Why it ended', ({ exitReason }) => plainWords(exitReason), 'below', 'exitReason'),
];

/** The trades of a backtest; `csv` is where all of them are to be had as a file. */
export function Trades({ trades, csv }: { trades: readonly ShownTrade[]; csv?: string | undefined }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Section
      title="Trades"
      tools={
        csv !== undefined && (
          <a class="button plain small" href={csv} download>
            CSV
          </a>
        )
      }
    >
      <DataTable
        caption="Trades"
        columns={tradeColumns}
        rows={isWhole ? trades : trades.slice(0, rowsAtFirst)}
        keyOf={({ entryTime, asset = '' }) => entryTime + asset}
        empty="No trade: the strategy never bought in this period."
      />
      {trades.length > rowsAtFirst && !isWhole && (
        <p class="actions">
          <Button class="plain" onClick={() => setWhole(true)}>
            All {trades.length} trades
          </Button>
        </p>
      )}
    </Section>
  );
}

type Month = RoutePayload<'GET /backend/backtests/{id}'>['months'][number];

interface Year {
  year: string;
  months: readonly Month[];
}

const monthColumns: readonly TableColumn<Year>[] = [
  column.word('Year', ({ year }) => year),
  ...monthNames.map((title, n) => ({
    title,
    isNumber: true,
    cell: ({ months }: Year) => (
      <MonthFigures month={months.find(({ month }) => Number(month.slice(5)) === n + 1)} />
    ),
  })),
];

/** What each month returned, a line a year; the figure of buy and hold stands beneath. */
export function Months({ months }: { months: readonly Month[] }) {
  if (months.length === 0) return null;
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const rows = years.map((year) => ({ year, months: months.filter(({ month }) => month.startsWith(year)) }));
  return (
    <Section title="Months" tools={<span class="quiet">return, and beneath it that of buy and hold</span>}>
      <DataTable caption="Return of each month" isWide columns={monthColumns} rows={rows} keyOf="year" />
    </Section>
  );
}

function MonthFigures({ month }: { month: Month | undefined }) {
  if (!month) return <span class="quiet">·</span>;
  return (
    <>
      <Change value={month.returnPercent} />
      <br />
      <span class="quiet">
        <Change value={month.benchmarkPercent} />
      </span>
    </>
  );
}
