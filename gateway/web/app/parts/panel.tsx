import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { ShownAnswer } from '../client/use-answer.js';
import { Time } from './time.js';

interface PanelProps<T> {
  title: string;
  answer: ShownAnswer<T>;
  /** The content, drawn from the payload; a string is said instead of it, where there is nothing yet. */
  children: (payload: T) => ComponentChildren;
  /** Controls beside the title. */
  tools?: ComponentChildren;
  /** How high the panel is while it loads, in rem. */
  size?: number;
  class?: string;
}

const longestSpinMs = 15_000;

/** A part of a page with an answer of its own: loading, failed, old or shown. The rest of the page does not depend on it. */
export function Panel<T>({ title, answer, children, tools, size = 8, class: kind = '' }: PanelProps<T>) {
  const id = useId();
  const { data, error, isLoading } = answer;
  return (
    <section class={`panel ${kind}`} aria-labelledby={id} aria-busy={isLoading && data === null}>
      <header>
        <h2 id={id}>{title}</h2>
        {tools}
      </header>
      {data !== null && children(data)}
      {data === null && isLoading && <Loading size={size} />}
      {error && <Failed answer={answer} />}
    </section>
  );
}

function Loading({ size }: { size: number }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longestSpinMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="loading" style={{ minHeight: `${size}rem` }}>
      {isLong ? (
        <p>This takes longer than usual. It will be shown as soon as it is here.</p>
      ) : (
        <span class="unseen">Loading</span>
      )}
    </div>
  );
}

function Failed<T>({ answer: { data, error, at, again } }: { answer: ShownAnswer<T> }) {
  if (!error) return null;
  const { message, requestId } = error;
  return (
    <div class="failed" role="alert">
      <p>
        {message.charAt(0).toUpperCase() + message.slice(1)}.
        {data !== null && (
          <>
            {' '}
            Shown as of <Time at={at} to="second" />.
          </>
        )}
      </p>
      {requestId && (
        <p class="quiet">
          Request <code>{requestId}</code>
        </p>
      )}
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}
