import { signal } from '@preact/signals';
import { ask } from '../client/ask.js';
import type { RouteInput, RoutePayload } from '../client/routes.js';
import { goQuery } from '../shell/route.js';
import { Choice, toggled } from './controls.js';

type Preferences = RoutePayload<'GET /backend/preferences'>;

const none: Preferences = { watchlist: [], time: 'local', interval: '1d', indicators: [] };
const storageKey = 'preferences';
let isUser = false;

/** What pages show the reader, and how: as the account says, or for a visitor this browser. */
export const preferences = signal<Preferences>({ ...none, ...keptHere() });

function keptHere(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Preferences>;
  } catch {
    return {};
  }
}

/** Reads those of the user, who is known from here on. */
export async function loadPreferences(): Promise<void> {
  isUser = true;
  preferences.value = await ask('GET /backend/preferences', {}).catch(() => preferences.peek());
}

/** Changes some of them, here at once and for good. */
export function prefer(change: Partial<Preferences>): void {
  preferences.value = { ...preferences.peek(), ...change };
  if (!isUser) return localStorage.setItem(storageKey, JSON.stringify(preferences.peek()));
  // What the service refuses is shown as it was again.
  ask('PUT /backend/preferences', preferences.peek() as RouteInput<'PUT /backend/preferences'>).catch(
    loadPreferences,
  );
}

/** Whether an asset is watched, and so stands first. */
export const isWatched = (asset: string): boolean => preferences.value.watchlist.includes(asset);

export const watch = (asset: string): void =>
  prefer({ watchlist: toggled(preferences.peek().watchlist, asset) });

const chartIntervals = ['1h', '4h', '1d'] as const;

/** How long a candle of a chart is. */
export type ChartInterval = (typeof chartIntervals)[number];

/** What a page of an asset asks about. */
export interface AssetPair {
  asset: string;
  interval: ChartInterval;
}

/** The interval that the address names, else the one that was chosen last. */
export const chartInterval = (named: string | null): ChartInterval =>
  chartIntervals.find((each) => each === named) ?? preferences.value.interval;

/** Chooses the interval of the page, and with which the next one begins. */
export const IntervalChoice = ({ value }: { value: ChartInterval }) => (
  <Choice
    label="Interval"
    value={value}
    options={chartIntervals}
    onChange={(interval) => {
      prefer({ interval });
      goQuery({ interval });
    }}
  />
);
