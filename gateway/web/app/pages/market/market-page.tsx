import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { withLivePrice } from '../../live/live-prices.js';
import { PageHead } from '../../parts/page-head.js';
import { goQuery } from '../../shell/route.js';
import { session } from '../../shell/session.js';
import type { PageProps } from '../../shell/shown-page.js';
import { Choice } from '../../parts/choice.js';
import { Panel } from '../../parts/panel.js';
import { Time } from '../../parts/time.js';
import { stateShapes, type ShownState } from '../../parts/state-mark.js';
import { MarketTable } from './market-table.js';
import { Today } from './today.js';
import { Overview } from './overview.js';

/** The market as a table: where the trend of every asset stands, what it costs and how it went. */
export function MarketPage({ query }: PageProps) {
  const interval = intervalOf(query.get('interval'));
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
                <select
                  value={state}
                  onChange={({ currentTarget }) =>
                    goQuery({ state: currentTarget.value === 'all' ? null : currentTarget.value })
                  }
                >
                  <option value="all">All</option>
                  {Object.entries(stateShapes).map(([name, shape]) => (
                    <option key={name} value={name}>{`${shape} ${name}`}</option>
                  ))}
                </select>
              </label>
              <Choice
                label="Interval"
                value={interval}
                options={['1h', '4h', '1d'] as const}
                onChange={(value) => goQuery({ interval: value })}
              />
            </div>
            <MarketTable assets={assets.filter((each) => isFound(each, find, state)).map(withLivePrice)} />
          </>
        )}
      </Panel>
    </>
  );
}

const intervalOf = (text: string | null): '1h' | '4h' | '1d' =>
  text === '1h' || text === '4h' ? text : '1d';

const isFound = (
  asset: { asset: string; name: string | null; state: ShownState | null },
  find: string,
  state: string,
): boolean =>
  (state === 'all' || asset.state === state) &&
  `${asset.asset} ${asset.name ?? ''}`.toLowerCase().includes(find.trim().toLowerCase());
