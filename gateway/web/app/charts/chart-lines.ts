import { LineStyle, type IChartApi, type IPriceLine, type ISeriesApi } from 'lightweight-charts';
import type { ChartColours } from './chart-colours.js';

/** A price as a line with a word. */
export interface ChartLine {
  id: string;
  title: string;
  price: number;
  kind: 'target' | 'stop' | 'entry' | 'level' | 'flip';
  isMovable?: boolean;
}

interface ChartLinesProps {
  chart: IChartApi;
  series: ISeriesApi<'Candlestick'>;
  colours: ChartColours;
  element: HTMLElement;
  lines: readonly ChartLine[];
  onMove: ((id: string, price: number) => void) | undefined;
}

const nearPixels = 12;
const styles = {
  target: LineStyle.Dashed,
  stop: LineStyle.Dashed,
  entry: LineStyle.Solid,
  level: LineStyle.Dotted,
  flip: LineStyle.SparseDotted,
};

/** Adds the lines, those that are movable to be dragged by mouse or touch; returns what ends that. */
export function addChartLines({
  chart,
  series,
  colours,
  element,
  lines,
  onMove,
}: ChartLinesProps): () => void {
  const tints = {
    target: colours.rise,
    stop: colours.fall,
    entry: colours.ink,
    level: colours.text,
    flip: colours.accent,
  };
  const added = lines.map((line) => ({
    line,
    drawn: series.createPriceLine({
      price: line.price,
      title: line.title,
      color: tints[line.kind],
      lineStyle: styles[line.kind],
      lineWidth: line.isMovable ? 2 : 1,
      axisLabelVisible: line.kind !== 'level',
    }),
  }));
  const movable = added.filter(({ line }) => line.isMovable);
  if (movable.length === 0 || !onMove) return () => undefined;
  return dragLines({ chart, series, element, movable, onMove });
}

interface DragProps extends Pick<ChartLinesProps, 'chart' | 'series' | 'element'> {
  movable: readonly { line: ChartLine; drawn: IPriceLine }[];
  onMove: (id: string, price: number) => void;
}

function dragLines({ chart, series, element, movable, onMove }: DragProps): () => void {
  const yOf = (event: PointerEvent) => event.clientY - element.getBoundingClientRect().top;
  const near = (y: number) =>
    movable.find(({ drawn }) => {
      const at = series.priceToCoordinate(drawn.options().price);
      return at !== null && Math.abs(at - y) <= nearPixels;
    });
  let held: (typeof movable)[number] | undefined;
  const listening = new AbortController();
  const { signal } = listening;
  const down = (event: PointerEvent) => {
    held = near(yOf(event));
    if (!held) return;
    // The chart would move with the line.
    chart.applyOptions({ handleScroll: false, handleScale: false });
    event.preventDefault();
  };
  const move = (event: PointerEvent) => {
    if (!held) {
      element.style.cursor = near(yOf(event)) ? 'ns-resize' : '';
      return;
    }
    const price = series.coordinateToPrice(yOf(event));
    if (price !== null) held.drawn.applyOptions({ price });
  };
  const up = () => {
    if (!held) return;
    const { line, drawn } = held;
    held = undefined;
    chart.applyOptions({
      handleScroll: { vertTouchDrag: false, mouseWheel: false },
      handleScale: { mouseWheel: false },
    });
    onMove(line.id, drawn.options().price);
  };
  element.addEventListener('pointerdown', down, { capture: true, signal });
  element.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', up, { signal });
  window.addEventListener('pointercancel', up, { signal });
  return () => listening.abort();
}
