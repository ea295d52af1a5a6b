import {
  createChart,
  type IChartApi,
  type ISeriesApi,
  type SeriesType,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, mediaSignal } from '../parts/controls.js';
import { column, DataTable } from '../parts/data-table.js';
import { capital, momentText, type ShownFigure } from '../parts/formats.js';
import { type ShownState, StateMark } from '../parts/marks.js';
import { whenIdle } from '../parts/when-idle.js';
import { chartColours, chartOptions, type ChartColours } from './chart-look.js';

/** A chart with its main series, which the cursor of the keyboard follows. */
export interface DrawnChart {
  chart: IChartApi;
  main: ISeriesApi<SeriesType>;
  colours: ChartColours;
  element: HTMLElement;
}

/** A figure of each point, or the state of the trend: the cursor reads it out, and the table has it. */
export type ChartFigure<Point> = { name: string } & (
  | { of: (point: Point) => number | null; show: (figure: ShownFigure) => string }
  | { of: (point: Point) => ShownState | undefined; show?: never }
);

interface ChartFrameProps<Point> {
  /** What it shows, in words. */
  label: string;
  /** The points of the main series. */
  points: readonly Point[];
  figures: readonly ChartFigure<Point>[];
  /** Draws the series and answers with the main one. */
  draw: (chart: IChartApi, colours: ChartColours) => ISeriesApi<SeriesType>;
  /** Draws what lies over the series and changes more often; returns what takes it away. */
  drawOver?: (drawn: DrawnChart) => () => void;
  /** A change of it draws anew what lies over the series. */
  drawnOverBy?: string;
  /** How many points are in view at first. Default: all. */
  shown?: number;
  /** A change of one of these draws anew. */
  drawnBy: readonly unknown[];
  /** Called when the reader has come near the first point. */
  onNearStart?: (() => void) | undefined;
}

const isMidnight = ({ time }: { time: number }): boolean => time % 86_400 === 0;

const isDark = mediaSignal('(prefers-color-scheme: dark)');

const pointsBeforeStart = 20;

/** A chart with its name, a cursor for the keyboard that is read out, and its figures as a table. */
export function ChartFrame<Point extends { time: number }>(props: ChartFrameProps<Point>) {
  const { label, points, figures, draw, drawnBy } = props;
  // The newest point of days may be this moment.
  const isDaily = points.slice(0, -1).every(isMidnight);
  // In UTC, as on the axis.
  const momentOf = (point: Point) =>
    momentText(point.time * 1_000, isDaily && isMidnight(point) ? 'day' : 'minute', true);
  const element = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const endOver = useRef<(() => void) | null | undefined>(null);
  const view = useRef<{ fromEnd: number; width: number } | null>(null);
  const cursor = useRef<number | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [said, say] = useState('');
  const [isTable, setTable] = useState(false);

  const drawOver = () => {
    endOver.current?.();
    endOver.current = drawn.current && latest.current.drawOver?.(drawn.current);
  };
  const create = (place: HTMLElement) => {
    const colours = chartColours();
    const chart = createChart(place, chartOptions(colours));
    drawn.current = { chart, main: draw(chart, colours), colours, element: place };
    const scale = chart.timeScale();
    const last = points.length - 1;
    const { shown } = latest.current;
    const { fromEnd, width } = view.current ?? { fromEnd: -3, width: Math.min(shown ?? last + 4, last + 4) };
    if (shown === undefined && !view.current) scale.fitContent();
    else scale.setVisibleLogicalRange({ from: last - fromEnd - width, to: last - fromEnd });
    scale.subscribeVisibleLogicalRangeChange((range) => {
      if (!range) return;
      view.current = { fromEnd: last - range.to, width: range.to - range.from };
      if (range.from < pointsBeforeStart) latest.current.onNearStart?.();
    });
    drawOver();
    place.ariaBusy = null;
  };
  useEffect(() => {
    const place = element.current;
    if (isTable || !place) return;
    place.ariaBusy = 'true';
    // The first time it is the longest task of the page: what others have to ask and to show goes before.
    const end = view.current ? create(place) : whenIdle(() => create(place));
    return () => {
      end?.();
      endOver.current?.();
      endOver.current = null;
      drawn.current?.chart.remove();
      drawn.current = null;
    };
  }, [isTable, isDark.value, ...drawnBy]);
  useEffect(() => {
    if (drawn.current) drawOver();
  }, [props.drawnOverBy]);

  const moveTo = (n: number) => {
    const { chart, main } = drawn.current!;
    const at = Math.max(0, Math.min(points.length - 1, n));
    const point = points[at];
    cursor.current = at;
    const { close, value = close } = main.data()[at] as Partial<Record<'close' | 'value', number>>;
    chart.setCrosshairPosition(value!, point.time as UTCTimestamp, main);
    const range = chart.timeScale().getVisibleLogicalRange();
    if (range && (at < range.from || at > range.to)) {
      const half = (range.to - range.from) / 2;
      chart.timeScale().setVisibleLogicalRange({ from: at - half, to: at + half });
    }
    const said = figures.map(({ name, of, show }) => (show ? `${name} ${show(of(point))}` : of(point)));
    say(`${momentOf(point)}: ${said.filter(Boolean).join(', ')}`);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!drawn.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = cursor.current ?? points.length;
    const step = event.shiftKey ? 10 : 1;
    const moves = { ArrowLeft: at - step, ArrowRight: at + step, Home: 0, End: points.length - 1 };
    const zooms = { '+': 0.7, '=': 0.7, '-': 1.4 };
    if (event.key in moves) moveTo(moves[event.key as keyof typeof moves]);
    else if (event.key in zooms) zoom(drawn.current.chart, zooms[event.key as keyof typeof zooms]);
    else return;
    event.preventDefault();
  };

  return (
    <figure class="chart-frame">
      {isTable ? (
        <DataTable
          caption={label}
          isWide
          keyOf={({ time }) => time}
          rows={points.toReversed()}
          columns={[
            column.word('Time', momentOf, undefined, ({ time }) => time),
            ...figures.map(({ name, of, show }) =>
              show
                ? column.figure(capital(name), of, show)
                : column.word<Point>(capital(name), (point) => <StateMark state={of(point) ?? null} />),
            ),
          ]}
        />
      ) : (
        <div
          ref={element}
          class="chart"
          role="application"
          aria-roledescription="chart"
          aria-label={label}
          tabIndex={0}
          onKeyDown={onKeyDown}
        />
      )}
      <figcaption>
        <span class="read-out figure" role="status">
          {said}
        </span>
        <Button aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          As a table
        </Button>
        <span class="quiet">Charts by TradingView</span>
      </figcaption>
    </figure>
  );
}

function zoom(chart: IChartApi, factor: number): void {
  const scale = chart.timeScale();
  const range = scale.getVisibleLogicalRange();
  if (range) scale.setVisibleLogicalRange({ ...range, from: range.to - (range.to - range.from) * factor });
}
