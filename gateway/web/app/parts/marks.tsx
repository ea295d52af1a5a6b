import type { RoutePayload } from '../client/routes.js';
import {
  capital,
  type Moment,
  momentText,
  percentText,
  type ShownFigure,
  signed,
  unknownMark,
} from './formats.js';

/** The shape of each state of the trend: its colour is not needed to tell it. */
export const stateShapes = { accumulate: '▲', wait: '●', distribute: '▼' } as const;

export type ShownState = keyof typeof stateShapes;

interface StateMarkProps {
  state: ShownState | null;
  /** What is said; default: the state. */
  text?: string;
}

/** A state of the trend by shape, word and colour. */
export function StateMark({ state, text = capital(state ?? '') }: StateMarkProps) {
  if (state === null) return <span class="quiet">No state</span>;
  return (
    <span class={`state ${state}`}>
      <span class="shape" aria-hidden="true">
        {stateShapes[state]}
      </span>
      {text}
    </span>
  );
}

interface ChangeProps {
  value: ShownFigure;
  text?: string | undefined;
}

/** A figure that is good above zero and bad below: its sign says so, and its colour. */
export function Change({ value, text = percentText(value) }: ChangeProps) {
  const size = Number(value ?? 0);
  return <span class={`figure ${size > 0 ? 'rise' : size < 0 ? 'fall' : ''}`}>{signed(text)}</span>;
}

interface DayChangeProps {
  equity: RoutePayload<'GET /backend/equity'> | null;
  /** Stands before it. */
  word?: string;
}

/** How the worth has changed today; nothing before the second day. */
export function DayChange({ equity, word = '' }: DayChangeProps) {
  const [before, now] = equity?.days.slice(-2) ?? [];
  if (!before || !now) return null;
  return (
    <>
      {word} <Change value={(now.index / before.index - 1) * 100} />
    </>
  );
}

/** A moment, which machines and tooltips read in full. */
export function Time({ at, to = 'minute' }: { at: string | Date | null; to?: Moment | undefined }) {
  if (at === null) return <>{unknownMark}</>;
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {momentText(at, to)}
    </time>
  );
}

const [width, height] = [84, 24];

/** The way of a price as a small line; the figures beside it say the same. */
export function SparkLine({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (n: number) => ((n / (known.length - 1)) * width).toFixed(1);
  const y = (value: number) => (height - 2 - ((value - low) / (high - low || 1)) * (height - 4)).toFixed(1);
  const points = known.map((value, n) => `${x(n)},${y(value)}`).join(' ');
  const kind = known.at(-1)! >= known[0] ? 'rise' : 'fall';
  return (
    <svg class={kind} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <polyline points={points} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}
