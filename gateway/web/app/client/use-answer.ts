import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type LiveNews, useLive } from '../live/live.js';
import { ask, type AskError, type AskOptions } from './ask.js';
import type { RouteInput, RouteName, RoutePayload } from './routes.js';

/** What a panel shows: the last payload stays while a newer one is asked for, and after that has failed. */
export interface ShownAnswer<T> {
  readonly data: T | null;
  readonly error: AskError | null;
  readonly isLoading: boolean;
  /** When the payload came. */
  readonly at: Date | null;
  readonly again: () => void;
}

/** The answer of a route, as a part of a page is given it. */
export type AnswerOf<R extends RouteName> = ShownAnswer<RoutePayload<R>>;

interface AnswerState extends Omit<ShownAnswer<unknown>, 'again'> {
  key: string;
}

/** The latest answers, so that a page that is opened again shows figures at once. */
const kept = new Map<string, AnswerState>();
const mostKept = 60;

function keep(state: AnswerState): void {
  kept.delete(state.key);
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
  kept.set(state.key, state);
}

/** Lets each page ask anew, as after an answer that it could not show. */
export const forgetAnswers = (): void => kept.clear();

const keyOf = (route: string, input: object | null): string =>
  input === null ? '' : `${route} ${JSON.stringify(input)}`;

async function answered<R extends RouteName>(
  route: R,
  input: RouteInput<R>,
  options?: AskOptions,
): Promise<AnswerState> {
  const data = await ask(route, input, options);
  const state = { key: keyOf(route, input), data, at: new Date(), error: null, isLoading: false };
  keep(state);
  return state;
}

/** What was asked before the page is drawn, which takes it from here. */
const early = new Map<string, Promise<AnswerState>>();

/** Asks for what a page begins with, before it is drawn; it has the answer from the start where that has come by then. */
export function askEarly<R extends RouteName>(route: R, input: RouteInput<R>): void {
  const answer = answered(route, input);
  early.set(keyOf(route, input), answer);
  // The page that takes it says why it failed.
  answer.catch(() => undefined);
}

function startOf(key: string): AnswerState {
  const known = kept.get(key);
  if (known && early.has(key)) return known;
  return { key, data: known?.data ?? null, at: known?.at ?? null, error: null, isLoading: key !== '' };
}

/** Too many requests, and a service that is busy: the page asks again by itself once it may; not all pages in the same moment. */
const laterStatuses = [429, 503];
const againMs = 5_000;

/**
 * The answer of a route for an input, asked again when the input changes or one of the topics tells of news,
 * and after a 429 or 503 once the service may be asked again. Without input nothing is asked; what takes long to compute has null for
 * topics, and is asked once.
 */
export function useAnswer<R extends RouteName>(
  route: R,
  input: RouteInput<R> | null,
  topics: readonly LiveNews[] | null = [],
): AnswerOf<R> {
  const key = keyOf(route, input);
  const state = useSignal<AnswerState>(startOf(key));
  const asked = useRef<AbortController | null>(null);
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const askedKey = useRef<string | null>(null);
  const end = () => {
    asked.current?.abort();
    clearTimeout(later.current);
  };
  const load = () => {
    end();
    if (input === null) return;
    const { signal } = (asked.current = new AbortController());
    const { key: knownKey, isLoading } = state.peek();
    // At the start it is loading already, or there: the page need not be drawn a second time for that.
    if (knownKey !== key) state.value = startOf(key);
    else if (!isLoading && !early.has(key)) state.value = { ...state.peek(), isLoading: true };
    const answer = early.get(key) ?? answered(route, input, { signal });
    early.delete(key);
    answer.then(
      (next) => {
        if (!signal.aborted) state.value = next;
      },
      (error: AskError) => {
        if (signal.aborted) return;
        state.value = { ...state.peek(), error, isLoading: false };
        if (laterStatuses.includes(error.status))
          later.current = setTimeout(load, (error.retryAfterSeconds ?? 1) * 1_000 + againMs * Math.random());
      },
    );
  };
  const start = () => {
    if (askedKey.current === key) return;
    askedKey.current = key;
    load();
  };
  // At first before the rest of the page is drawn, which takes a slow device longer than the way to the service.
  if (askedKey.current === null) start();
  useLayoutEffect(() => {
    start();
    return end;
  }, [key]);
  useLive(topics, load);
  return answerOf<RoutePayload<R>>(state, key, load);
}

/** What reads a part of it is drawn anew with the next answer; what hands it on is not. */
function answerOf<T>(state: ReadonlySignal<AnswerState>, key: string, again: () => void): ShownAnswer<T> {
  // Between a change of the input and its effect the state is that of the input before.
  const now = () => (state.value.key === key ? state.value : startOf(key));
  const parts = (['data', 'error', 'isLoading', 'at'] as const).map(
    (name) => [name, { get: () => now()[name], enumerable: true }] as const,
  );
  return Object.defineProperties({ again }, Object.fromEntries(parts)) as ShownAnswer<T>;
}

const typingMs = 300;

/** The value once it has not changed for this time, so that typing does not ask with every key. */
export function useLater<T>(value: T): T {
  const [later, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(() => value), typingMs);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return later;
}
