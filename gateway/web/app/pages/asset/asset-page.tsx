import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Change, StateMark } from '../../parts/marks.js';
import { priceText } from '../../parts/formats.js';
import { withLivePrice } from '../../live/live-prices.js';
import { PageHead, Panel } from '../../parts/page.js';
import type { PageProps } from '../../shell/route.js';
import { chartInterval } from '../../parts/interval-choice.js';
import { isWatched, watch } from '../../parts/preferences.js';
import { AssetChart } from './asset-chart.js';
import { Flips } from './flips.js';
import { Levels, ReadingsPanel, Risk } from './readings.js';
import { TargetFirst, useTrade } from './target-first.js';

/** Everything about one asset: its candles and states, why they flipped, levels, risk, and what comes first. */
export function AssetPage({ params, query }: PageProps) {
  const asset = params.asset.toUpperCase();
  const interval = chartInterval(query.get('interval'));
  // Asked first: what the target is measured by waits for it.
  const trade = useTrade(asset, interval);
  const market = useAnswer('GET /backend/market', { interval }, ['candle', 'flip']);
  const flips = useAnswer('POST /backend/core-line/flip-intelligence', { asset, interval, limit: 12 }, [
    'candle',
  ]);
  const [opened, setOpened] = useState<string | null>(null);
  const row = market.data?.assets.find((each) => each.asset === asset);
  const levelsOf = { asset, interval, maxLevels: 4 };
  const levels = useAnswer('POST /backend/analysis/support-resistance', levelsOf, ['candle']);
  if (market.data && !row)
    return (
      <>
        <PageHead title={asset} />
        <p class="panel">
          The market has no asset {asset}. <a href="/app">See those that there are</a>.
        </p>
      </>
    );
  return (
    <>
      <PageHead
        under="/app"
        title={row?.name ? `${asset} ${row.name}` : asset}
        tools={
          row && (
            <button type="button" class="plain" aria-pressed={isWatched(asset)} onClick={() => watch(asset)}>
              {isWatched(asset) ? '★' : '☆'} Watch
            </button>
          )
        }
      >
        {row && <Headline row={row} />}
      </PageHead>
      <div class="beside">
        <AssetChart
          asset={asset}
          interval={interval}
          flips={flips}
          levels={levels}
          trade={trade}
          onFlip={setOpened}
        />
        <Panel title="Flips" answer={flips} size={24}>
          {(data) => <Flips data={data} opened={opened} />}
        </Panel>
      </div>
      <div class="columns">
        <TargetFirst asset={asset} interval={interval} trade={trade} />
        <Risk asset={asset} />
        <Levels answer={levels} />
        <ReadingsPanel asset={asset} interval={interval} />
      </div>
    </>
  );
}

/** The price of this moment, and since when the trend stands where it does. It is drawn anew with each price, without the page. */
function Headline({ row }: { row: RoutePayload<'GET /backend/market'>['assets'][number] }) {
  const { price, change24h, state, daysInState } = withLivePrice(row);
  return (
    <p class="headline">
      <strong class="figure">{priceText(price)}</strong> USDT <Change value={change24h} />
      <StateMark state={state} />
      {daysInState !== null && (
        <span class="quiet">
          for {daysInState} {daysInState === 1 ? 'day' : 'days'}
        </span>
      )}
    </p>
  );
}
