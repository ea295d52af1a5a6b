import { AreaSeries, LineSeries, LineStyle, type IChartApi, type UTCTimestamp } from 'lightweight-charts';
import { figureColumn, wordColumn } from '../parts/columns.js';
import { DataTable } from '../parts/data-table.js';
import { momentText, numberText, percentText } from '../parts/formats.js';
import { ChartBands } from './chart-bands.js';
import type { ChartColours } from './chart-colours.js';
import { ChartFrame, chartNumbers } from './chart-frame.js';

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
  drawdown?: readonly EquityPoint[];
  /** When something was held, and whether it gained. */
  trades?: readonly { from: number; to: number; gained: boolean }[];
  unit: string;
}

const styles = [
  LineStyle.Solid,
  LineStyle.Dotted,
  LineStyle.Dashed,
  LineStyle.LargeDashed,
  LineStyle.SparseDotted,
];
const mostRows = 150;

const onScale = ({ time, value }: EquityPoint) => ({ time: time as UTCTimestamp, value });

/** Worth over time against others, told apart by how their lines are broken, with the drawdown beneath and what was held at the foot. */
export function EquityChart({ label, lines, drawdown = [], trades = [], unit }: EquityChartProps) {
  const [main, ...others] = lines;
  const times = main.points.map(({ time }) => time);
  const valuesOf = others.map(({ name, points }) => ({
    name,
    at: new Map(points.map((each) => [each.time, each.value])),
  }));
  const drawdownAt = new Map(drawdown.map(({ time, value }) => [time, value]));
  const readOut = (n: number) => {
    const { time, value } = main.points[n];
    const rest = valuesOf.map(({ name, at }) => `, ${name} ${numberText(at.get(time) ?? null)}`).join('');
    const down = drawdown.length > 0 ? `, drawdown ${percentText(drawdownAt.get(time) ?? null)}` : '';
    return `${momentText(time * 1_000, 'day')}: ${main.name} ${numberText(value)} ${unit}${rest}${down}`;
  };
  const draw = (chart: IChartApi, colours: ChartColours) => {
    const tints = [colours.accent, colours.text, colours.rise, colours.fall, colours.distribute];
    const drawn = lines.map(({ name, points }, n) => {
      const series = chart.addSeries(LineSeries, {
        color: tints[n % tints.length],
        lineStyle: styles[n % styles.length],
        lineWidth: 2,
        title: name,
        priceLineVisible: false,
        priceFormat: chartNumbers(2),
      });
      series.setData(points.map(onScale));
      return series;
    });
    const [first] = chart.panes();
    first.attachPrimitive(
      new ChartBands(
        trades.map(({ from, to, gained }) => ({
          from: snapped(from, times),
          to: snapped(to, times),
          fill: gained ? colours.rise : colours.fall,
          pixels: gained ? 8 : 4,
        })),
      ),
    );
    if (drawdown.length > 0) {
      const down = chart.addSeries(
        AreaSeries,
        {
          lineColor: colours.fall,
          topColor: `${colours.fall}11`,
          bottomColor: `${colours.fall}44`,
          lineWidth: 1,
          title: 'drawdown %',
          priceLineVisible: false,
          priceFormat: chartNumbers(2),
        },
        1,
      );
      down.setData(drawdown.map(onScale));
      chart.panes()[1].setStretchFactor(0.35);
    }
    return drawn[0];
  };
  return (
    <ChartFrame
      label={label}
      times={times}
      values={main.points.map(({ value }) => value)}
      readOut={readOut}
      draw={draw}
      drawnBy={[JSON.stringify([lines, drawdown])]}
      isTall
      table={() => (
        <DataTable<EquityPoint>
          caption={label}
          isWide
          keyOf={({ time }) => String(time)}
          rows={thinned(main.points)}
          columns={[
            wordColumn('Day', ({ time }) => momentText(time * 1_000, 'day')),
            figureColumn([main.name, unit].filter(Boolean).join(', '), ({ value }) => value),
            ...valuesOf.map(({ name, at }) =>
              figureColumn<EquityPoint>(name, ({ time }) => at.get(time) ?? null),
            ),
            ...(drawdown.length > 0
              ? [
                  figureColumn<EquityPoint>(
                    'Drawdown',
                    ({ time }) => drawdownAt.get(time) ?? null,
                    percentText,
                  ),
                ]
              : []),
          ]}
        />
      )}
    />
  );
}

/** The last of the chart's times that is not after this one: points between are left out of long curves. */
function snapped(time: number, times: readonly number[]): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return times[low];
}

const thinned = (points: readonly EquityPoint[]): readonly EquityPoint[] => {
  const step = Math.ceil(points.length / mostRows);
  return points.filter((_, n) => n % step === 0 || n === points.length - 1).toReversed();
};
