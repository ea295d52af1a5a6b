import type { ChartLine } from './chart-lines.js';
import type { RouteInput } from '../client/routes.js';
import { useAnswer } from '../client/use-answer.js';
import { LazyPriceChart } from './lazy-charts.js';
import { Panel } from '../parts/panel.js';

type Price = string | null | undefined;

/** What a signal says of prices, decimals as text. */
export interface SignalPrices {
  asset: string;
  tradeMarket: NonNullable<RouteInput<'POST /backend/core-line/chart'>['tradeMarket']>;
  entries: readonly Price[];
  targets: readonly Price[];
  stop: Price;
}

/** The prices of a signal over the candles of its asset. */
export function SignalLevels({ terms }: { terms: SignalPrices | null }) {
  const chart = useAnswer(
    terms ? 'POST /backend/core-line/chart' : null,
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
          isTall
        />
      )}
    </Panel>
  );
}

const linesOf = ({ entries, targets, stop }: SignalPrices): ChartLine[] =>
  [
    ...entries.map((price, n) => ({ id: `entry-${n}`, title: 'entry', price, kind: 'entry' as const })),
    ...targets.map((price, n) => ({
      id: `target-${n}`,
      title: `target ${n + 1}`,
      price,
      kind: 'target' as const,
    })),
    { id: 'stop', title: 'stop', price: stop, kind: 'stop' as const },
  ]
    .map((line) => ({ ...line, price: Number(line.price) }))
    .filter(({ price }) => price > 0);
