import type { ComponentChildren } from 'preact';
import type { AskError } from '../client/ask-error.js';
import { sentence } from './formats.js';

/** The fault of a field, or of a part of its value. */
export const fieldFault = (error: AskError | null, field: string): string | undefined =>
  error?.field?.split('.').at(-1) === field ? sentence(error.message) : undefined;

interface ActionFaultProps {
  error: AskError | null;
  /** What can be done. */
  children?: ComponentChildren;
}

/** What was refused, read out when it comes; nothing without a fault. */
export function ActionFault({ error, children }: ActionFaultProps) {
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
    </div>
  );
}
