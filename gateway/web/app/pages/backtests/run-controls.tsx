import type { useAction } from '../../client/use-action.js';
import { Button } from '../../parts/controls.js';
import { ActionFault } from '../../parts/states.js';
import { capital } from '../../parts/formats.js';

interface RunControlsProps {
  action: Pick<ReturnType<typeof useAction>, 'isRunning' | 'error' | 'progress' | 'cancel'>;
}

/** The button that runs a backtest, then how far it is, with "Cancel"; and why it failed. */
export function RunControls({ action: { isRunning, error, progress, cancel } }: RunControlsProps) {
  return (
    <>
      {isRunning ? (
        <div class="actions">
          <progress max={1} value={progress?.fraction} aria-label="Progress" />
          <span role="status">{capital(progress?.phase ?? 'waiting')}</span>
          <Button class="plain" onClick={cancel}>
            Cancel
          </Button>
        </div>
      ) : (
        <button type="submit">Run backtest</button>
      )}
      <ActionFault error={error} />
    </>
  );
}
