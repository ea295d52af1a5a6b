import { LineStyle, type IPriceLine } from 'lightweight-charts';
import type { DrawnChart } from './chart-frame.js';
import { pageScrolls } from './chart-look.js';

/** How each kind of line looks: its colour, and how it is broken. */
const looks = {
  target: ['rise', LineStyle.Dashed],
  stop: ['fall', LineStyle.Dashed],
  entry: ['text', LineStyle.Solid],
  level: ['quiet', LineStyle.Dotted],
  flip: ['accent', LineStyle.SparseDotted],
} as const;

/** A price as a line with a word. */
export interface ChartLine {
  title: string;
  price: number;
  kind: keyof typeof looks;
}

type OnMove = (kind: ChartLine['kind'], price: number) => void;

const nearPixels = 12;

/** Adds the lines, target and stop to be dragged by mouse or touch where `onMove` is given; returns what takes them away. */
export function addChartLines(
  drawnChart: DrawnChart,
  lines: readonly ChartLine[],
  onMove: OnMove | undefined,
): () => void {
  const { main, colours } = drawnChart;
  const added = lines.map(({ kind, title, price }) => {
    const [colour, lineStyle] = looks[kind];
    const isMovable = onMove !== undefined && (kind === 'target' || kind === 'stop');
    const axisLabelVisible = kind !== 'level';
    const lineWidth = isMovable ? 2 : 1;
    const options = { price, title, color: colours[colour], lineStyle, lineWidth, axisLabelVisible } as const;
    return { kind, isMovable, drawn: main.createPriceLine(options) };
  });
  const listening = new AbortController();
  const movable = added.filter(({ isMovable }) => isMovable);
  if (onMove) dragLines(drawnChart, movable, onMove, listening.signal);
  return () => {
    listening.abort();
    for (const { drawn } of added) main.removePriceLine(drawn);
  };
}

function dragLines(
  { chart, main, element }: DrawnChart,
  lines: readonly { kind: ChartLine['kind']; drawn: IPriceLine }[],
  onMove: OnMove,
  signal: AbortSignal,
): void {
  const yOf = (event: PointerEvent) => event.clientY - element.getBoundingClientRect().top;
  const near = (y: number) =>
    lines.find(({ drawn }) => {
      const at = main.priceToCoordinate(drawn.options().price);
      return at !== null && Math.abs(at - y) <= nearPixels;
    });
  let held: (typeof lines)[number] | undefined;
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
    const { kind, drawn } = held;
    held = undefined;
    chart.applyOptions(pageScrolls);
    onMove(kind, drawn.options().price);
  };
  element.addEventListener('pointerdown', down, { capture: true, signal });
  element.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', up, { signal });
  window.addEventListener('pointercancel', up, { signal });
}
