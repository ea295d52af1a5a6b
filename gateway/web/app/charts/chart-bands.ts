import type {
  IChartApiBase,
  IPanePrimitive,
  PaneAttachedParameter,
  Time,
  UTCTimestamp,
} from 'lightweight-charts';
import type { RoutePayload } from '../client/routes.js';
import { stateShapes } from '../parts/marks.js';
import type { ChartColours } from './chart-look.js';

/** Candles with the core line, its band and the states of the trend. */
export type ChartAnswer = RoutePayload<'POST /backend/core-line/chart'>;

/** A stretch of time behind a chart, between two of its times in seconds. */
interface Band {
  from: number;
  to: number;
  fill: string;
  /** Stands at the foot, where there is room. */
  shape?: string;
  ink?: string;
  /** How high it is from the foot; default: as high as the chart. */
  pixels?: number;
}

interface MediaScope {
  context: CanvasRenderingContext2D;
  mediaSize: { width: number; height: number };
}

const [footPixels, leastPixels] = [16, 14];
/** How strong the colour of a state is behind the candles, in hex. */
const strength = '22';

/** Stretches behind a chart, each one rectangle. One primitive draws all of them: a series each is slow. */
export class ChartBands implements IPanePrimitive<Time> {
  readonly #bands: readonly Band[];
  #chart: IChartApiBase<Time> | null = null;

  constructor(bands: readonly Band[]) {
    this.#bands = bands;
  }

  attached({ chart }: PaneAttachedParameter<Time>): void {
    this.#chart = chart;
  }

  paneViews() {
    const draw = (target: { useMediaCoordinateSpace: (use: (scope: MediaScope) => void) => void }) =>
      target.useMediaCoordinateSpace((scope) => this.#draw(scope));
    return [{ zOrder: () => 'bottom' as const, renderer: () => ({ draw }) }];
  }

  #draw({ context, mediaSize: { height, width } }: MediaScope): void {
    const half = (this.#chart?.timeScale().options().barSpacing ?? 0) / 2;
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'center';
    for (const { from, to, fill, shape, ink, pixels = height } of this.#bands) {
      const [start, end] = [this.#x(from), this.#x(to)];
      if (start === null || end === null || end + half < 0 || start - half > width) continue;
      const [left, right] = [start - half, end + half];
      context.fillStyle = fill;
      context.fillRect(left, height - pixels, Math.max(right - left, 1), pixels);
      if (shape === undefined || right - left < leastPixels) continue;
      context.fillStyle = ink ?? fill;
      context.fillText(shape, (Math.max(left, 0) + Math.min(right, width)) / 2, height - footPixels / 2);
    }
  }

  #x(time: number): number | null {
    return this.#chart?.timeScale().timeToCoordinate(time as UTCTimestamp) ?? null;
  }
}

/** The states of the trend as bands: each stretch with its colour, and its shape at the foot. */
export function stateBands(states: ChartAnswer['states'], colours: ChartColours): Band[] {
  const bands: Band[] = [];
  for (const { time, state } of states) {
    const [last, shape, ink] = [bands.at(-1), stateShapes[state], colours[state]];
    if (last?.shape === shape) last.to = time;
    else bands.push({ from: time, to: time, fill: ink + strength, ink, shape });
  }
  return bands;
}
