import { signal } from '@preact/signals';
import { ask } from '../client/ask.js';
import type { RouteInput, RoutePayload } from '../client/routes.js';
import { goQuery } from '../shell/route.js';
import { Choice } from './controls.js';

type Preferences = RoutePayload<'GET /backend/preferences'>;

const none: Preferences = { watchlist: [], time: 'local', interval: '1d', indicators: [] };
const storageKey = 'preferences';
let isUser = false;
/** What is sent one after another, so that none overwrites the one before. */
let sending: Promise<void> = Promise.resolve();

/** What pages show the reader, and how: as the account says, or for a visitor this browser. */
export const preferences = signal<Preferences>({ ...none, ...keptHere() });

/** Why the last change was not kept. */
export const preferenceFault = signal<{ message: string } | null>(null);

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
export function prefer(change: (now: Preferences) => Partial<Preferences>): void {
  const changed = (now: Preferences) => ({ ...now, ...change(now) });
  preferences.value = changed(preferences.peek());
  if (isUser) return void (sending = sending.then(() => send(changed)));
  try {
    localStorage.setItem(storageKey, JSON.stringify(preferences.peek()));
  } catch {
    // A browser that keeps nothing has them as long as the page is open.
  }
}

/** Changes those of the account as they are now: this page may not have read them, and another one may have changed them. */
async function send(changed: (now: Preferences) => Preferences): Promise<void> {
  try {
    const next = changed(await ask('GET /backend/preferences', {}));
    preferences.value = await ask('PUT /backend/preferences', next as RouteInput<'PUT /backend/preferences'>);
    preferenceFault.value = null;
  } catch (error) {
    preferenceFault.value = { message: `Your choice was not kept: ${(error as Error).message}` };
    await loadPreferences();
  }
}

/** Whether an asset is watched, and so stands first. */
export const isWatched = (asset: string): boolean => preferences.value.watchlist.includes(asset);

/** Watches an asset, or no longer. */
export function watch(asset: string): void {
  const wanted = isWatched(asset) ? [] : [asset];
  prefer(({ watchlist }) => ({ watchlist: [...watchlist.filter((each) => each !== asset), ...wanted] }));
}

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
      prefer(() => ({ interval }));
      goQuery({ interval });
    }}
  />
);
