import { useMemo, useState } from 'preact/hooks';
import { ask, type AskError } from '../../client/ask.js';
import type { RouteInput, RoutePayload } from '../../client/routes.js';
import { type AnswerOf, useAnswer } from '../../client/use-answer.js';
import type { ChartAnswer } from '../../charts/chart-bands.js';
import type { ChartLine } from '../../charts/chart-lines.js';
import { LazyPriceChart } from '../../charts/lazy-charts.js';
import { Panel } from '../../parts/page.js';
import { momentText } from '../../parts/formats.js';
import { type AssetPair, IntervalChoice, preferences } from '../../parts/preferences.js';
import { Indicators } from './indicators.js';
import type { TradeLines, useTrade } from './target-first.js';

interface AssetChartProps {
  pair: AssetPair;
  flips: AnswerOf<'POST /backend/core-line/flip-intelligence'>;
  levels: AnswerOf<'POST /backend/analysis/support-resistance'>;
  trade: ReturnType<typeof useTrade>;
  onFlip: (date: string) => void;
}

type ChosenIndicators = RouteInput<'POST /backend/analysis/indicator-values'>['indicators'];

const candlesAtOnce = 500;
/** Older candles than so many have no indicators. */
const mostValues = 1_000;
const columns = ['candles', 'line', 'upper', 'lower', 'states'] as const;

/** Candles with the states behind them, the core line and its band, levels, and the two lines of a trade. */
export function AssetChart({ pair, flips, levels, trade, onFlip }: AssetChartProps) {
  const input = { ...pair, limit: candlesAtOnce };
  const chart = useAnswer('POST /backend/core-line/chart', input, ['candle']);
  const older = useOlder(chart.data, input);
  const indicators = preferences.value.indicators as ChosenIndicators;
  const values = useAnswer(
    'POST /backend/analysis/indicator-values',
    indicators.length === 0 ? null : { ...pair, last: mostValues, indicators },
    ['candle'],
  );
  const openFlip = (time: number) => {
    const away = ({ date }: { date: string }) => Math.abs(Date.parse(date) / 1_000 - time);
    const [flip] = flips.data?.flips.toSorted((a, b) => away(a) - away(b)) ?? [];
    if (flip && away(flip) < 86_400) onFlip(flip.date);
  };
  const tools = (
    <>
      <IntervalChoice value={pair.interval} />
      <Indicators />
    </>
  );
  return (
    <Panel title={`${pair.asset} candles`} answer={chart} size={34} tools={tools}>
      {(data) => {
        const shown = older.joined ?? data;
        const lines = trade.lines();
        return (
          <LazyPriceChart
            label={labelOf(shown)}
            candles={shown.candles}
            states={shown.states}
            curves={[
              { name: 'core line', points: shown.line },
              { name: 'upper band', points: shown.upper },
              { name: 'lower band', points: shown.lower },
              ...curvesOf(values.data, data.price),
            ]}
            lines={linesOf(flips.data, levels.data, lines)}
            onNearStart={older.load}
            onMoveLine={(kind, price) => lines && trade.move({ ...lines, [kind]: price })}
            onClickTime={openFlip}
          />
        );
      }}
    </Panel>
  );
}

interface OlderCandles {
  /** Of what they are. */
  key: string;
  /** The newest of them are those of the answer before which the first older ones were asked for: candles fall out of later answers. */
  parts: readonly ChartAnswer[];
  isIdle: boolean;
}

/** Older candles before those of the answer, loaded when the reader scrolls back to the first one. */
function useOlder(data: ChartAnswer | null, input: RouteInput<'POST /backend/core-line/chart'>) {
  const key = JSON.stringify(input);
  const [loaded, set] = useState<OlderCandles | null>(null);
  const { parts, isIdle } = loaded?.key === key ? loaded : { parts: [], isIdle: true };
  const joined = useMemo(() => {
    if (!data || parts.length === 0) return data;
    const start = data.candles[0].time;
    const joinedOf = (name: (typeof columns)[number]) => {
      const before = parts
        .flatMap((part): { time: number }[] => part[name])
        .filter(({ time }) => time < start);
      return [name, [...before, ...data[name]]] as const;
    };
    return { ...data, ...(Object.fromEntries(columns.map(joinedOf)) as Partial<ChartAnswer>) };
  }, [data, loaded, key]);
  const load = () => {
    const first = joined?.candles[0]?.time;
    if (first === undefined || !isIdle) return;
    set({ key, parts, isIdle: false });
    ask('POST /backend/core-line/chart', { ...input, before: new Date(first * 1_000).toISOString() }).then(
      (part) => {
        const known = parts.length > 0 ? parts : [data!];
        const next = { key, parts: [part, ...known], isIdle: part.candles.length === candlesAtOnce };
        // A late answer is dropped where another asset or interval is shown by then.
        set((now) => (now?.key === key ? next : now));
      },
      // What lies before the first stored candle is refused; what fails otherwise can be asked for again.
      ({ status }: AskError) => set((now) => now && { ...now, isIdle: status !== 400 }),
    );
  };
  return { joined, load };
}

function labelOf({ asset, candles, state, since, interval }: ChartAnswer): string {
  const is = state === null ? '' : `, ${state}${since === null ? '' : ` since ${momentText(since, 'day')}`}`;
  return `${asset} candles, ${candles.length} of ${interval}${is}`;
}

/** Indicators that share the scale of the price; others are read under "Readings". */
function curvesOf(data: RoutePayload<'POST /backend/analysis/indicator-values'> | null, price: number) {
  return (data?.indicators ?? []).flatMap(({ name, outputs }) =>
    outputs
      .map(({ name: output, values }) => ({
        name: `${name} ${output}`,
        points: values.map((value, n) => ({ time: Date.parse(data!.times[n]) / 1_000, value })),
      }))
      .filter(({ points }) => {
        const last = points.at(-1)?.value;
        return last !== null && last !== undefined && last > price / 4 && last < price * 4;
      }),
  );
}

function linesOf(
  flips: AssetChartProps['flips']['data'],
  levels: AssetChartProps['levels']['data'],
  trade: TradeLines | null,
): readonly ChartLine[] {
  const near = [...(levels?.above.slice(0, 2) ?? []), ...(levels?.below.slice(0, 2) ?? [])];
  const moved = trade ? (['target', 'stop'] as const) : [];
  return [
    ...(flips?.flipPrice?.targets ?? []).flatMap(({ to, nearest }) =>
      nearest ? [{ kind: 'flip' as const, title: `flips to ${to}`, price: nearest.close }] : [],
    ),
    ...near.map(({ name, price }) => ({ kind: 'level' as const, title: name, price })),
    ...moved.map((kind) => ({ kind, title: kind, price: trade![kind] })),
  ];
}
