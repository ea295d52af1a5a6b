import { AreaSeries, LineSeries, LineStyle, type IChartApi, type UTCTimestamp } from 'lightweight-charts';
import { inUnit, numberText, percentText, type ShownFigure } from '../parts/formats.js';
import { ChartBands } from './chart-bands.js';
import { ChartFrame } from './chart-frame.js';
import { type ChartColours, chartNumbers } from './chart-look.js';

interface EquityPoint {
  time: number;
  value: number;
}

export interface EquityLine {
  name: string;
  points: readonly EquityPoint[];
}

export interface EquityChartProps {
  label: string;
  /** The first is the one that is looked at. */
  lines: readonly EquityLine[];
  drawdown: readonly EquityPoint[];
  /** When something was held, and whether it gained. */
  trades?: readonly { from: number; to: number; gained: boolean }[];
  unit?: string;
}

const looks = [
  ['accent', LineStyle.Solid],
  ['quiet', LineStyle.Dotted],
  ['rise', LineStyle.Dashed],
  ['fall', LineStyle.LargeDashed],
  ['distribute', LineStyle.SparseDotted],
] as const;
const shared = { priceLineVisible: false, priceFormat: chartNumbers(2) };

const onScale = ({ time, value }: EquityPoint) => ({ time: time as UTCTimestamp, value });

/** Worth over time against others, told apart by how their lines are broken, with the drawdown beneath and what was held at the foot. */
export function EquityChart({ label, lines, drawdown, trades = [], unit }: EquityChartProps) {
  const { points } = lines[0];
  const times = points.map(({ time }) => time);
  // The cursor counts the times of the first line: others have a point at each of these.
  const drawnLines = [
    lines[0],
    ...lines.slice(1).map((line) => ({ ...line, points: onTimes(line.points, times) })),
  ];
  const worth = (value: ShownFigure) => (unit ? inUnit(numberText(value), unit) : numberText(value));
  const figures = [
    ...drawnLines.map((line) => ({ ...line, show: worth })),
    { name: 'drawdown', points: drawdown, show: percentText },
  ].map(({ points: own, ...more }) => {
    const at = new Map(own.map((each) => [each.time, each.value]));
    return { ...more, of: ({ time }: EquityPoint) => at.get(time) ?? null };
  });
  const draw = (chart: IChartApi, colours: ChartColours) => {
    const drawn = drawnLines.map((line, n) => {
      const [colour, lineStyle] = looks[n];
      const look = { color: colours[colour], lineStyle, lineWidth: 2 as const };
      const series = chart.addSeries(LineSeries, { ...shared, ...look, title: line.name });
      series.setData(line.points.map(onScale));
      return series;
    });
    const held = trades.map(({ from, to, gained }) => ({
      from: snapped(from, times),
      to: snapped(to, times),
      fill: gained ? colours.rise : colours.fall,
      pixels: gained ? 8 : 4,
    }));
    chart.panes()[0].attachPrimitive(new ChartBands(held));
    const look = { lineColor: colours.fall, topColor: `${colours.fall}11`, bottomColor: `${colours.fall}44` };
    const down = chart.addSeries(AreaSeries, { ...shared, ...look, lineWidth: 1, title: 'drawdown %' }, 1);
    down.setData(drawdown.map(onScale));
    chart.panes()[1].setStretchFactor(0.35);
    return drawn[0];
  };
  return (
    <ChartFrame
      label={label}
      points={points}
      figures={figures}
      draw={draw}
      drawnBy={[JSON.stringify([lines, drawdown])]}
    />
  );
}

/** A line at each of these times: its last point until then. Before the first it has none. */
function onTimes(points: readonly EquityPoint[], times: readonly number[]): EquityPoint[] {
  let next = 0;
  return times.flatMap((time) => {
    while (next < points.length && points[next].time <= time) next++;
    return next === 0 ? [] : [{ time, value: points[next - 1].value }];
  });
}

/** The last of the chart's times that is not after this one: points between are left out of long curves. */
const snapped = (time: number, times: readonly number[]): number =>
  times.findLast((each) => each <= time) ?? times[0];
