import type { useAction } from '../../client/use-action.js';
import { Button } from '../../parts/controls.js';
import { capital } from '../../parts/formats.js';
import { ActionFault } from '../../parts/states.js';

interface RunControlsProps {
  verb?: string;
  action: Pick<ReturnType<typeof useAction>, 'isRunning' | 'error' | 'progress' | 'cancel'>;
}

/** The button that runs a backtest, beside it how far it is, with "Cancel"; and why it failed. */
export function RunControls({
  verb = 'Run backtest',
  action: { isRunning, error, progress, cancel },
}: RunControlsProps) {
  return (
    <>
      <div class="actions">
        <button type="submit" aria-disabled={isRunning}>
          {verb}
        </button>
        {isRunning && (
          <>
            <progress max={1} value={progress?.fraction} aria-label="Progress" />
            <span role="status">{capital(progress?.phase ?? 'waiting')}</span>
            <Button class="plain" onClick={cancel}>
              Cancel
            </Button>
          </>
        )}
      </div>
      <ActionFault error={error} />
    </>
  );
}
