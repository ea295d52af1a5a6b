import type { ComponentChildren } from 'preact';
import type { AskError } from '../client/ask.js';
import { sentence } from './formats.js';

/** A part that comes later, so many rem high. After 15 s it says that it takes long. */
export const Waiting = ({ rem, class: kind = '' }: { rem: number; class?: string }) => (
  <div class={`loading ${kind}`} aria-busy="true" style={{ minHeight: `${rem}rem` }}>
    <span class="unseen">Loading</span>
    <p>This takes longer than usual. It will be shown as soon as it is here.</p>
  </div>
);

interface ActionFaultProps {
  error: (Pick<AskError, 'message'> & Partial<Pick<AskError, 'requestId'>>) | null;
  children?: ComponentChildren;
  /** What can be done, and what the button that does it says. */
  again?: () => void;
  verb?: string;
}

/** What was refused, read out when it comes; nothing without a fault. */
export function ActionFault({ error, children, again, verb = 'Try again' }: ActionFaultProps) {
  if (!error) return null;
  return (
    <div class="failed" role="alert">
      <p>{sentence(error.message)}</p>
      {error.requestId && (
        <p class="quiet">
          Request <code>{error.requestId}</code>
        </p>
      )}
      {children}
      {again && (
        <button type="button" onClick={again}>
          {verb}
        </button>
      )}
    </div>
  );
}
