import { useState } from 'preact/hooks';
import type { RouteInput } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { Select } from '../../parts/controls.js';
import { AskedAction } from '../../parts/dialogs.js';
import { ActionFault } from '../../parts/states.js';

/** Keeps rules under a name, and takes them up again. */
export function SavedRules({ strategy, onUse }: { strategy: object | null; onUse: (rules: object) => void }) {
  const saved = useAnswer('GET /backend/strategies', {});
  const open = useAction('GET /backend/strategies/{id}');
  const [said, say] = useState('');
  const known = saved.data?.strategies ?? [];
  const opened = known.find(({ id }) => id === open.done?.id);
  return (
    <div class="actions">
      <AskedAction
        route="POST /backend/strategies"
        verb="Save rules"
        verbNow="Save"
        disabled={strategy === null}
        fields={[{ name: 'name', label: 'Name of these rules', required: true, maxLength: 80 }]}
        input={({ name }) => ({ name, strategy }) as RouteInput<'POST /backend/strategies'>}
        onDone={() => say('Saved')}
      />
      {known.length > 0 && (
        <Select
          aria-label="Saved rules"
          value=""
          options={{ '': 'Saved rules…', ...Object.fromEntries(known.map((each) => [each.id, each.name])) }}
          onChange={(id) => id !== '' && open.run({ id }, ({ rules }) => onUse(rules))}
        />
      )}
      {opened && (
        <AskedAction
          route="DELETE /backend/strategies/{id}"
          input={{ id: opened.id }}
          verb="Delete rules"
          title={`Delete “${opened.name}”`}
          verbNow="Delete now"
          question="They can't be opened again then. Backtests that ran with them stay."
          onDone={() => say('Deleted')}
        />
      )}
      <span role="status">{said}</span>
      <ActionFault error={open.error} />
    </div>
  );
}
