import type { RouteInput } from '../client/routes.js';
import { useAnswer } from '../client/use-answer.js';
import { Panel } from '../parts/page.js';
import type { ChartLine } from './chart-lines.js';
import { LazyPriceChart } from './lazy-charts.js';

type Prices = readonly (string | null | undefined)[];

/** What a signal says of prices, decimals as text. */
interface SignalPrices {
  asset: string;
  tradeMarket: NonNullable<RouteInput<'POST /backend/core-line/chart'>['tradeMarket']>;
  entries: Prices;
  targets: Prices;
  stop: Prices[number];
}

/** The prices of a signal over the candles of its asset. */
export function SignalLevels({ terms }: { terms: SignalPrices | null }) {
  const chart = useAnswer(
    'POST /backend/core-line/chart',
    terms && { asset: terms.asset, tradeMarket: terms.tradeMarket, interval: '1h', limit: 300 },
    ['candle'],
  );
  if (!terms) return null;
  return (
    <Panel title="Levels" answer={chart} size={30}>
      {({ candles }) => (
        <LazyPriceChart
          label={`${terms.asset} candles with the entry, targets and stop of the signal`}
          candles={candles}
          lines={linesOf(terms)}
        />
      )}
    </Panel>
  );
}

const linesOf = ({ entries, targets, stop }: SignalPrices): ChartLine[] =>
  [
    ...entries.map((price) => ({ kind: 'entry' as const, title: 'entry', price })),
    ...targets.map((price, n) => ({ kind: 'target' as const, title: `target ${n + 1}`, price })),
    { kind: 'stop' as const, title: 'stop', price: stop },
  ]
    .map((line) => ({ ...line, price: Number(line.price) }))
    .filter(({ price }) => price > 0);
