import type { RoutePayload } from '../../client/routes.js';
import { DataTable, wordColumn, type TableColumn } from '../../parts/data-table.js';
import { monthNames } from '../../parts/formats.js';
import { Change } from '../../parts/marks.js';
import { Section } from '../../parts/page.js';

type Month = RoutePayload<'GET /backend/backtests/{id}'>['months'][number];

interface Year {
  year: string;
  months: readonly Month[];
}

const columns: readonly TableColumn<Year>[] = [
  wordColumn('Year', ({ year }) => year),
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
      <DataTable caption="Return of each month" isWide columns={columns} rows={rows} keyOf="year" />
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
