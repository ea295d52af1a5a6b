import type { RouteInput } from '../client/routes.js';
import { useAnswer } from '../client/use-answer.js';
import { Panel } from '../parts/page.js';
import { LazyPriceChart } from './lazy-charts.js';

type Prices = readonly (string | null | undefined)[];

/** What a signal says of prices, decimals as text. */
interface SignalPrices extends Required<Pick<RouteInput<'POST /backend/core-line/chart'>, 'tradeMarket'>> {
  asset: string;
  entries: Prices;
  targets: Prices;
  stop: Prices[number];
}

/** The prices of a signal over the candles of its asset. */
export function SignalLevels({ asset, tradeMarket, entries, targets, stop }: SignalPrices) {
  const input = { asset, tradeMarket, interval: '1h', limit: 300 } as const;
  const chart = useAnswer('POST /backend/core-line/chart', input, ['candle']);
  const lines = [
    ...entries.map((price) => ({ kind: 'entry' as const, title: 'entry', price: Number(price) })),
    ...targets.map((price, n) => ({
      kind: 'target' as const,
      title: `target ${n + 1}`,
      price: Number(price),
    })),
    { kind: 'stop' as const, title: 'stop', price: Number(stop) },
  ];
  return (
    <Panel title="Levels" answer={chart} size={30}>
      {({ candles }) => (
        <LazyPriceChart
          label={`${asset} candles with the entry, targets and stop of the signal`}
          candles={candles}
          lines={lines.filter(({ price }) => price > 0)}
        />
      )}
    </Panel>
  );
}
