import type { AskError } from '../../client/ask-error.js';
import { ActionFault } from '../../parts/action-fault.js';
import { capital } from '../../parts/formats.js';

interface RunStateProps {
  action: {
    isRunning: boolean;
    error: AskError | null;
    progress: { phase: string; fraction: number } | null;
    cancel: () => void;
  };
}

/** The button that runs a backtest, then how far it is, with "Cancel"; and why it failed. */
export function RunControls({ action: { isRunning, error, progress, cancel } }: RunStateProps) {
  return (
    <>
      {isRunning ? (
        <div class="actions">
          <progress max={1} value={progress?.fraction} aria-label="Progress" />
          <span role="status">{capital(progress?.phase ?? 'waiting')}</span>
          <button type="button" class="plain" onClick={cancel}>
            Cancel
          </button>
        </div>
      ) : (
        <button type="submit">Run backtest</button>
      )}
      <ActionFault error={error} />
    </>
  );
}
