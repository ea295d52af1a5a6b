import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { PageHead, Panel } from '../../parts/page.js';
import { goQuery, type PageProps } from '../../shell/route.js';
import { session } from '../../shell/session.js';
import { chartInterval, IntervalChoice } from '../../parts/interval-choice.js';
import { isWatched } from '../../parts/preferences.js';
import { Select } from '../../parts/controls.js';
import { type ShownState, stateShapes, Time } from '../../parts/marks.js';
import { MarketTable } from './market-table.js';
import { Overview, Today } from './today.js';

/** The market as a table: where the trend of every asset stands, what it costs and how it went. */
export function MarketPage({ query }: PageProps) {
  const interval = chartInterval(query.get('interval'));
  const answer = useAnswer('GET /backend/market', { interval }, ['candle', 'flip']);
  const [find, setFind] = useState(query.get('find') ?? '');
  const state = query.get('state') ?? 'all';
  return (
    <>
      <PageHead title="Market" />
      {session.value?.user && <Today market={answer.data} />}
      <Overview interval={interval} />
      <Panel
        title="Assets"
        answer={answer}
        size={40}
        tools={
          answer.data && (
            <span class="quiet end">
              as of <Time at={answer.data.asOf} />
            </span>
          )
        }
      >
        {({ assets }) => (
          <>
            <div class="filters">
              <label>
                Find{' '}
                <input
                  type="search"
                  maxLength={60}
                  value={find}
                  placeholder="BTC, Bitcoin"
                  onInput={({ currentTarget }) => {
                    setFind(currentTarget.value);
                    goQuery({ find: currentTarget.value });
                  }}
                />
              </label>
              <label>
                State{' '}
                <Select
                  value={state}
                  options={shownStates}
                  onChange={(chosen) => goQuery({ state: chosen === 'all' ? null : chosen })}
                />
              </label>
              <IntervalChoice value={interval} />
            </div>
            <MarketTable
              assets={assets
                .filter((each) => isFound(each, find, state))
                .toSorted((a, b) => Number(isWatched(b.asset)) - Number(isWatched(a.asset)))}
            />
          </>
        )}
      </Panel>
    </>
  );
}

const shownStates = {
  all: 'All',
  ...Object.fromEntries(Object.entries(stateShapes).map(([name, shape]) => [name, `${shape} ${name}`])),
};

const isFound = (
  asset: { asset: string; name: string | null; state: ShownState | null },
  find: string,
  state: string,
): boolean =>
  (state === 'all' || asset.state === state) &&
  `${asset.asset} ${asset.name ?? ''}`.toLowerCase().includes(find.trim().toLowerCase());
