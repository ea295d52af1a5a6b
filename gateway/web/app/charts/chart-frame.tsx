import {
  createChart,
  type IChartApi,
  type ISeriesApi,
  type SeriesType,
  type TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { monthNames, numberText } from '../parts/formats.js';
import { chartColours, type ChartColours } from './chart-colours.js';

/** A chart with its main series, which the cursor of the keyboard follows. */
export interface DrawnChart {
  chart: IChartApi;
  main: ISeriesApi<SeriesType>;
  colours: ChartColours;
  element: HTMLElement;
}

interface ChartFrameProps {
  /** What it shows, in words. */
  label: string;
  /** The times of the main series in seconds, and its value at each. */
  times: readonly number[];
  values: readonly number[];
  /** What the cursor reads out at a point. */
  readOut: (n: number) => string;
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
  table: () => ComponentChildren;
  /** Called when the reader has come near the first point. */
  onNearStart?: (() => void) | undefined;
}

/** Numbers at a scale as they stand everywhere, with so many digits after the point. */
export const chartNumbers = (digits: number) => ({
  type: 'custom' as const,
  minMove: 10 ** -digits,
  formatter: (value: number) => numberText(value, digits),
});

/** A page that is scrolled must not stop at a chart. */
export const pageScrolls = {
  handleScroll: { vertTouchDrag: false, mouseWheel: false },
  handleScale: { mouseWheel: false },
};

const pointsBeforeStart = 20;
const longestWaitMs = 300;

/** A chart with its name, a cursor for the keyboard that is read out, and its figures as a table. */
export function ChartFrame(props: ChartFrameProps) {
  const { label, times, readOut, draw, drawnBy, table } = props;
  const element = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const endOver = useRef<(() => void) | null | undefined>(null);
  const view = useRef<{ fromEnd: number; width: number } | null>(null);
  const cursor = useRef<number | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [said, say] = useState('');
  const [isTable, setTable] = useState(false);
  const isDark = useIsDark();

  const drawOver = () => {
    endOver.current?.();
    endOver.current = drawn.current && latest.current.drawOver?.(drawn.current);
  };
  const create = (place: HTMLElement) => {
    const colours = chartColours();
    const chart = createChart(place, optionsOf(colours));
    drawn.current = { chart, main: draw(chart, colours), colours, element: place };
    const scale = chart.timeScale();
    const last = times.length - 1;
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
  }, [isTable, isDark, ...drawnBy]);
  useEffect(() => {
    if (drawn.current) drawOver();
  }, [props.drawnOverBy]);

  const moveTo = (n: number) => {
    const { chart, main } = drawn.current!;
    const at = Math.max(0, Math.min(times.length - 1, n));
    cursor.current = at;
    chart.setCrosshairPosition(latest.current.values[at], times[at] as UTCTimestamp, main);
    const range = chart.timeScale().getVisibleLogicalRange();
    if (range && (at < range.from || at > range.to)) {
      const half = (range.to - range.from) / 2;
      chart.timeScale().setVisibleLogicalRange({ from: at - half, to: at + half });
    }
    say(readOut(at));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!drawn.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = cursor.current ?? times.length;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => moveTo(at - (event.shiftKey ? 10 : 1)),
      ArrowRight: () => moveTo(at + (event.shiftKey ? 10 : 1)),
      Home: () => moveTo(0),
      End: () => moveTo(times.length - 1),
      '+': () => zoom(drawn.current!.chart, 0.7),
      '=': () => zoom(drawn.current!.chart, 0.7),
      '-': () => zoom(drawn.current!.chart, 1.4),
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    moves[event.key]();
  };

  return (
    <figure class="chart-frame">
      {isTable ? (
        table()
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
        <button type="button" class="plain small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          As a table
        </button>
        <span class="quiet">Charts by TradingView</span>
      </figcaption>
    </figure>
  );
}

/** Calls back once nothing else has to be done, and soon in any case; returns what takes it back. */
function whenIdle(callBack: () => void): () => void {
  const waiting = window.requestIdleCallback?.(callBack, { timeout: longestWaitMs });
  // Safari has no such thing.
  if (waiting === undefined) callBack();
  return () => window.cancelIdleCallback?.(waiting);
}

const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** Whether the system is dark now. */
function useIsDark(): boolean {
  const [isDark, set] = useState(darkScheme.matches);
  useEffect(() => {
    const change = () => set(darkScheme.matches);
    darkScheme.addEventListener('change', change);
    return () => darkScheme.removeEventListener('change', change);
  }, []);
  return isDark;
}

const optionsOf = ({ text, line, page }: ChartColours) => ({
  autoSize: true,
  layout: {
    background: { color: page },
    textColor: text,
    fontFamily: 'system-ui, sans-serif',
    fontSize: 12,
    // The logo sets innerHTML, which the page's policy refuses; the credit stands beneath, the notice on "About".
    attributionLogo: false,
    panes: { separatorColor: line },
  },
  grid: { vertLines: { visible: false }, horzLines: { color: line } },
  rightPriceScale: { borderVisible: false },
  timeScale: {
    borderColor: line,
    timeVisible: true,
    lockVisibleTimeRangeOnResize: true,
    tickMarkFormatter: (time: Time, type: TickMarkType) => tickTexts(time as number)[type],
  },
  localization: { locale: 'en-GB' },
  ...pageScrolls,
});

/** What stands at the time axis, in UTC: a year, month, day, minute or second. The chart would make a formatter for each. */
function tickTexts(time: number): readonly string[] {
  const text = new Date(time * 1_000).toISOString();
  const [month, day] = [monthNames[Number(text.slice(5, 7)) - 1], String(Number(text.slice(8, 10)))];
  return [text.slice(0, 4), month, day, text.slice(11, 16), text.slice(11, 19)];
}

function zoom(chart: IChartApi, factor: number): void {
  const scale = chart.timeScale();
  const range = scale.getVisibleLogicalRange();
  if (range) scale.setVisibleLogicalRange({ ...range, from: range.to - (range.to - range.from) * factor });
}
