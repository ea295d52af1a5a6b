import { useEffect, useRef, useState } from 'preact/hooks';
import { tellListeners } from '../live/live.js';
import { ask, type AskError, type AskOptions } from './ask.js';
import type { RouteInput, RouteName, RoutePayload } from './routes.js';

interface ActionState<T> {
  isRunning: boolean;
  error: AskError | null;
  /** What came of it; null before. */
  done: T | null;
  /** How far the work is, where the service says so. */
  progress: { phase: string; fraction: number } | null;
}

interface ActionOptions extends Omit<AskOptions, 'signal'> {
  onFault?: (error: AskError) => void;
}

interface Action<R extends RouteName> extends ActionState<RoutePayload<R>> {
  run: (input: RouteInput<R>, onDone?: (payload: RoutePayload<R>) => void, more?: ActionOptions) => void;
  cancel: () => void;
}

/**
 * Sends what changes or computes something: once at a time, with progress, and to be cancelled. It ends with the page, whose answers are
 * asked again once it is done.
 */
export function useAction<R extends RouteName>(route: R): Action<R> {
  const start: ActionState<RoutePayload<R>> = { isRunning: false, error: null, done: null, progress: null };
  const [state, set] = useState(start);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run: Action<R>['run'] = (input, onDone, { onFault, ...options } = {}) => {
    if (running.current) return;
    const { signal } = (running.current = new AbortController());
    set({ ...start, isRunning: true });
    const onEvent = (name: string, data: unknown) => {
      if (name === 'progress') set((now) => ({ ...now, progress: data as ActionState<never>['progress'] }));
    };
    ask(route, input, { signal, onEvent, ...options })
      .then(
        (done) => {
          set({ ...start, done });
          onDone?.(done);
          if (!route.startsWith('GET')) tellListeners({ name: 'sent', data: null });
        },
        (error: AskError) => {
          if (signal.aborted) return;
          set({ ...start, error });
          onFault?.(error);
        },
      )
      .finally(() => (running.current = null));
  };
  const cancel = () => {
    running.current?.abort();
    set(start);
  };
  return { ...state, run, cancel };
}
