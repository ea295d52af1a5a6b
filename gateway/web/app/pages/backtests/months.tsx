import type { RoutePayload } from '../../client/routes.js';
import { Change } from '../../parts/change.js';
import { monthNames } from '../../parts/formats.js';
import { Section } from '../../parts/section.js';

type Month = RoutePayload<'GET /backend/backtests/{id}'>['months'][number];

/** What each month returned, a line a year; the figure of buy and hold stands beneath. */
export function Months({ months }: { months: readonly Month[] }) {
  if (months.length === 0) return null;
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const of = (year: string, n: number) =>
    months.find(({ month }) => month === `${year}-${String(n + 1).padStart(2, '0')}`);
  return (
    <Section title="Months" tools={<span class="quiet">return, and beneath it that of buy and hold</span>}>
      <div class="scroll" role="region" aria-label="Return of each month" tabIndex={0}>
        <table class="wide">
          <caption class="unseen">Return of each month</caption>
          <thead>
            <tr>
              <th scope="col">Year</th>
              {monthNames.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.map((year) => (
              <tr key={year}>
                <th scope="row">{year}</th>
                {monthNames.map((name, n) => {
                  const found = of(year, n);
                  return (
                    <td key={name} class="number">
                      {found ? (
                        <>
                          <Change value={found.returnPercent} />
                          <br />
                          <span class="quiet">
                            <Change value={found.benchmarkPercent} />
                          </span>
                        </>
                      ) : (
                        <span class="quiet">·</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
