import {
  type AutoscaleInfo,
  CandlestickSeries,
  LineSeries,
  LineStyle,
  type IChartApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useRef } from 'preact/hooks';
import { priceText } from '../parts/formats.js';
import { ChartFrame, type ChartFigure } from './chart-frame.js';
import { type ChartColours, chartNumbers } from './chart-look.js';
import { addChartLines, type ChartLine } from './chart-lines.js';
import { type ChartAnswer, ChartBands, stateBands } from './chart-bands.js';

type Candle = ChartAnswer['candles'][number];

interface CurvePoint {
  time: number;
  value: number | null;
}

export interface PriceChartProps {
  label: string;
  candles: readonly Candle[];
  states?: ChartAnswer['states'];
  /** Lines over the candles, the first of them the strongest. */
  curves?: readonly { name: string; points: readonly CurvePoint[] }[];
  lines?: readonly ChartLine[];
  onMoveLine?: ((kind: ChartLine['kind'], price: number) => void) | undefined;
  onClickTime?: ((time: number) => void) | undefined;
  onNearStart?: (() => void) | undefined;
}

const prices = ['open', 'high', 'low', 'close'] as const;
const candlesAtFirst = 160;

/** Candles with the states behind them, curves, and prices as lines. Rising candles are hollow. */
export function PriceChart(props: PriceChartProps) {
  const { label, candles, states = [], curves = [], lines = [], onNearStart, onMoveLine } = props;
  const stateAt = new Map(states.map(({ time, state }) => [time, state]));
  const figures: ChartFigure<Candle>[] = prices.map((name) => ({
    name,
    of: (candle) => candle[name],
    show: priceText,
  }));
  if (states.length > 0) figures.push({ name: 'state', of: ({ time }) => stateAt.get(time) });
  const shownLines = useRef(lines);
  shownLines.current = lines;
  const draw = (chart: IChartApi, colours: ChartColours) => {
    const main = chart.addSeries(CandlestickSeries, {
      upColor: colours.page,
      borderUpColor: colours.rise,
      wickUpColor: colours.rise,
      downColor: colours.fall,
      borderDownColor: colours.fall,
      wickDownColor: colours.fall,
      priceFormat: chartNumbers(digitsOf(candles.at(-1)?.close ?? 1)),
      autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => withLines(own(), shownLines.current),
    });
    main.setData(candles.map(({ time, ...rest }) => ({ ...rest, time: time as UTCTimestamp })));
    if (states.length > 0) chart.panes()[0].attachPrimitive(new ChartBands(stateBands(states, colours)));
    curves.forEach(({ points }, n) => {
      const curve = chart.addSeries(LineSeries, {
        color: n === 0 ? colours.text : colours.quiet,
        lineWidth: n === 0 ? 2 : 1,
        lineStyle: n === 0 ? LineStyle.Solid : LineStyle.Dotted,
        priceLineVisible: false,
        lastValueVisible: false,
        crosshairMarkerVisible: false,
      });
      curve.setData(points.map(pointOf));
    });
    chart.subscribeClick(({ time }) => {
      if (typeof time === 'number') props.onClickTime?.(time);
    });
    return main;
  };
  return (
    <ChartFrame
      label={label}
      points={candles}
      figures={figures}
      draw={draw}
      shown={candlesAtFirst}
      onNearStart={onNearStart}
      drawnBy={[candles, curves.map(({ name, points }) => name + points.at(-1)?.time).join()]}
      drawOver={(drawn) => addChartLines(drawn, lines, onMoveLine)}
      drawnOverBy={JSON.stringify(lines)}
    />
  );
}

const pointOf = ({ time, value }: CurvePoint) => ({
  time: time as UTCTimestamp,
  ...(value !== null && { value }),
});

/** The range of prices in view, wide enough for the lines of a trade. */
function withLines(info: AutoscaleInfo | null, lines: readonly ChartLine[]): AutoscaleInfo | null {
  if (!info?.priceRange) return info;
  const { minValue, maxValue } = info.priceRange;
  const prices = lines.filter(({ kind }) => kind !== 'level' && kind !== 'flip').map(({ price }) => price);
  return {
    ...info,
    priceRange: { minValue: Math.min(minValue, ...prices), maxValue: Math.max(maxValue, ...prices) },
  };
}

/** Digits after the point, so that a price has about six in all. */
const digitsOf = (close: number): number =>
  close >= 1_000 ? 2 : Math.max(0, Math.min(10, 5 - Math.floor(Math.log10(close))));
