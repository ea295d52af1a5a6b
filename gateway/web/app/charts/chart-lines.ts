import { LineStyle, type IPriceLine } from 'lightweight-charts';
import type { DrawnChart } from './chart-frame.js';

/** A price as a line with a word. */
export interface ChartLine {
  id: string;
  title: string;
  price: number;
  kind: 'target' | 'stop' | 'entry' | 'level' | 'flip';
  isMovable?: boolean;
}

type OnMove = (id: string, price: number) => void;

const nearPixels = 12;
const styles = {
  target: LineStyle.Dashed,
  stop: LineStyle.Dashed,
  entry: LineStyle.Solid,
  level: LineStyle.Dotted,
  flip: LineStyle.SparseDotted,
};

/** Adds the lines, those that are movable to be dragged by mouse or touch; returns what takes them away. */
export function addChartLines(
  { chart, main, colours, element }: DrawnChart,
  lines: readonly ChartLine[],
  onMove: OnMove | undefined,
): () => void {
  const tints = {
    target: colours.rise,
    stop: colours.fall,
    entry: colours.ink,
    level: colours.text,
    flip: colours.accent,
  };
  const added = lines.map((line) => ({
    line,
    drawn: main.createPriceLine({
      price: line.price,
      title: line.title,
      color: tints[line.kind],
      lineStyle: styles[line.kind],
      lineWidth: line.isMovable ? 2 : 1,
      axisLabelVisible: line.kind !== 'level',
    }),
  }));
  const movable = added.filter(({ line }) => line.isMovable);
  const listening = new AbortController();
  if (onMove) dragLines({ chart, main, element, movable, onMove, signal: listening.signal });
  return () => {
    listening.abort();
    for (const { drawn } of added) main.removePriceLine(drawn);
  };
}

interface DragProps extends Omit<DrawnChart, 'colours'> {
  movable: readonly { line: ChartLine; drawn: IPriceLine }[];
  onMove: OnMove;
  signal: AbortSignal;
}

function dragLines({ chart, main, element, movable, onMove, signal }: DragProps): void {
  const yOf = (event: PointerEvent) => event.clientY - element.getBoundingClientRect().top;
  const near = (y: number) =>
    movable.find(({ drawn }) => {
      const at = main.priceToCoordinate(drawn.options().price);
      return at !== null && Math.abs(at - y) <= nearPixels;
    });
  let held: (typeof movable)[number] | undefined;
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
    const price = main.coordinateToPrice(yOf(event));
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
}
