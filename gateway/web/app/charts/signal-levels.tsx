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
  /** Since when it is known; default: this moment. */
  since?: string;
}

const [candlesShown, dayMs] = [300, 86_400_000];

/** The prices of a signal over the candles of its asset. */
export function SignalLevels({ asset, tradeMarket, entries, targets, stop, since }: SignalPrices) {
  const days = since === undefined ? 0 : (Date.now() - Date.parse(since)) / dayMs;
  // The candles reach back to before the signal.
  const interval = days < 10 ? '1h' : days < 40 ? '4h' : '1d';
  const input = { asset, tradeMarket, interval, limit: candlesShown } as const;
  const chart = useAnswer('POST /backend/core-line/chart', input, ['candle']);
  const lines = [
    ...entries.map((price) => lineOf('entry', price)),
    ...targets.map((price, n) => lineOf('target', price, `target ${n + 1}`)),
    lineOf('stop', stop),
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

const lineOf = (kind: 'entry' | 'target' | 'stop', price: Prices[number], title: string = kind) => ({
  kind,
  title,
  price: Number(price),
});
