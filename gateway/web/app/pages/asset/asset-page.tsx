import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Change, StateMark } from '../../parts/marks.js';
import { counted, priceText } from '../../parts/formats.js';
import { withLivePrice } from '../../live/live-prices.js';
import { Below, PageHead, Panel } from '../../parts/page.js';
import type { PageProps } from '../../shell/route.js';
import { chartInterval, isWatched, watch } from '../../parts/preferences.js';
import { AssetChart } from './asset-chart.js';
import { Flips } from './flips.js';
import { Levels, ReadingsPanel, Risk } from './readings.js';
import { TargetFirst, useTrade } from './target-first.js';

/** Everything about one asset: its candles and states, why they flipped, levels, risk, and what comes first. */
export function AssetPage({ params, query }: PageProps) {
  const asset = params.asset.toUpperCase();
  const pair = { asset, interval: chartInterval(query.get('interval')) };
  const market = useAnswer('GET /backend/market', { interval: pair.interval }, ['candle', 'flip']);
  const flips = useAnswer('POST /backend/core-line/flip-intelligence', { ...pair, limit: 12 }, ['candle']);
  const levels = useAnswer('POST /backend/analysis/support-resistance', { ...pair, maxLevels: 4 }, [
    'candle',
  ]);
  const trade = useTrade(pair);
  const [opened, setOpened] = useState<{ date: string } | null>(null);
  const row = market.data?.assets.find((each) => each.asset === asset);
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
          pair={pair}
          flips={flips}
          levels={levels}
          trade={trade}
          onFlip={(date) => setOpened({ date })}
        />
        <Panel title="Flips" answer={flips} size={24}>
          {(data) =>
            data.flips.length === 0 ? 'No flip in the stored candles.' : <Flips {...data} opened={opened} />
          }
        </Panel>
      </div>
      <Below rem={40}>
        <div class="columns">
          <TargetFirst pair={pair} trade={trade} />
          <Risk asset={asset} />
          <Levels answer={levels} />
          <ReadingsPanel pair={pair} />
        </div>
      </Below>
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
      {daysInState !== null && <span class="quiet">for {counted(daysInState, 'day')}</span>}
    </p>
  );
}
