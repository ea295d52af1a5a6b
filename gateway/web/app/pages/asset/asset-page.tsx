import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { Change } from '../../parts/change.js';
import { Choice } from '../../parts/choice.js';
import { priceText } from '../../parts/formats.js';
import { withLivePrice } from '../../live/live-prices.js';
import { PageHead } from '../../parts/page-head.js';
import { Panel } from '../../parts/panel.js';
import { StateMark } from '../../parts/state-mark.js';
import { goQuery } from '../../shell/route.js';
import type { PageProps } from '../../shell/shown-page.js';
import { chartIntervals } from './chart-interval.js';
import { AssetChart } from './asset-chart.js';
import { Flips } from './flips.js';
import { Indicators } from './indicators.js';
import { Levels } from './levels.js';
import { ReadingsPanel } from './readings.js';
import { Risk } from './risk.js';
import { TargetFirst, type TradeLines } from './target-first.js';

/** Everything about one asset: its candles and states, why they flipped, levels, risk, and what comes first. */
export function AssetPage({ params, query }: PageProps) {
  const asset = params.asset.toUpperCase();
  const interval = chartIntervals.find((each) => each === query.get('interval')) ?? '1d';
  const market = useAnswer('GET /backend/market', { interval }, ['candle', 'flip']);
  const flips = useAnswer('POST /backend/core-line/flip-intelligence', { asset, interval, limit: 12 }, [
    'candle',
  ]);
  const [trade, setTrade] = useState<TradeLines | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<string | null>(null);
  const row = market.data?.assets.find((each) => each.asset === asset);
  const known = row && withLivePrice(row);
  const now = known?.price;
  const drawnLevels = useAnswer(
    'POST /backend/analysis/support-resistance',
    { asset, interval, maxLevels: 4 },
    ['candle'],
  );
  return (
    <>
      <p class="path">
        <a href="/app">Market</a> ›
      </p>
      <PageHead title={known?.name ? `${asset} ${known.name}` : asset}>
        {known && (
          <p class="headline">
            <strong class="figure">{priceText(now)}</strong> USDT <Change value={known.change24h} />
            <StateMark state={known.state} />
            {known.daysInState !== null && <span class="quiet">for {days(known.daysInState)}</span>}
          </p>
        )}
      </PageHead>
      <div class="beside">
        <AssetChart
          asset={asset}
          interval={interval}
          chosen={chosen}
          flips={flips.data}
          levels={drawnLevels.data}
          trade={trade}
          onTrade={setTrade}
          onFlip={setOpened}
          tools={
            <>
              <Choice
                label="Interval"
                value={interval}
                options={chartIntervals}
                onChange={(value) => goQuery({ interval: value })}
              />
              <Indicators chosen={chosen} onChange={setChosen} />
            </>
          }
        />
        <Panel title="Flips" answer={flips} size={24}>
          {(data) => <Flips data={data} opened={opened} />}
        </Panel>
      </div>
      <div class="columns">
        <TargetFirst asset={asset} interval={interval} trade={trade} onTrade={setTrade} />
        <Risk asset={asset} />
        <Levels answer={drawnLevels} />
        <ReadingsPanel asset={asset} interval={interval} />
      </div>
    </>
  );
}

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);
