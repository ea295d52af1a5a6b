import type { AskError } from '../client/ask-error.js';

/** What was refused, read out when it comes; nothing without a fault. */
export function ActionFault({ error }: { error: AskError | null }) {
  if (!error) return null;
  return (
    <div class="failed" role="alert">
      <p>{error.message.charAt(0).toUpperCase() + error.message.slice(1)}.</p>
      {error.requestId && (
        <p class="quiet">
          Request <code>{error.requestId}</code>
        </p>
      )}
    </div>
  );
}
