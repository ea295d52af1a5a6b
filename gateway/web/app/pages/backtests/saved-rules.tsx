import { useState } from 'preact/hooks';
import type { RouteInput } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { Button, Select } from '../../parts/controls.js';
import { ActionFault } from '../../parts/states.js';

interface SavedRulesProps {
  strategy: object | null;
  onUse: (strategy: object) => void;
}

/** Keeps rules under a name, and takes them up again. */
export function SavedRules({ strategy, onUse }: SavedRulesProps) {
  const [name, setName] = useState('');
  const saved = useAnswer('GET /backend/strategies', {});
  const save = useAction('POST /backend/strategies');
  const open = useAction('GET /backend/strategies/{id}');
  const known = saved.data?.strategies ?? [];
  return (
    <div class="actions">
      <input
        aria-label="Name of these rules"
        placeholder="Name"
        maxLength={80}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button
        disabled={name.trim() === '' || strategy === null || save.isRunning}
        onClick={() => save.run({ name, strategy } as RouteInput<'POST /backend/strategies'>)}
      >
        Save rules
      </Button>
      {known.length > 0 && (
        <Select
          aria-label="Saved rules"
          value=""
          options={{ '': 'Saved rules…', ...Object.fromEntries(known.map((each) => [each.id, each.name])) }}
          onChange={(id) => id !== '' && open.run({ id }, ({ rules }) => onUse(rules))}
        />
      )}
      {save.done && <span role="status">Saved</span>}
      <ActionFault error={save.error ?? open.error} />
    </div>
  );
}
