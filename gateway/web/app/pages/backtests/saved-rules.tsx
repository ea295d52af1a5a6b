import { useState } from 'preact/hooks';
import type { RouteInput } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { ActionFault } from '../../parts/action-fault.js';

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
  return (
    <div class="actions">
      <input
        aria-label="Name of these rules"
        placeholder="Name"
        maxLength={80}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button
        type="button"
        class="plain small"
        disabled={name.trim() === '' || strategy === null || save.isRunning}
        onClick={() => save.run({ name, strategy } as RouteInput<'POST /backend/strategies'>, saved.again)}
      >
        Save rules
      </button>
      {saved.data && saved.data.strategies.length > 0 && (
        <select
          aria-label="Saved rules"
          onChange={({ currentTarget: { value: id } }) =>
            id !== '' && open.run({ id }, ({ rules }) => onUse(rules))
          }
        >
          <option value="">Saved rules…</option>
          {saved.data.strategies.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
      )}
      {save.done && <span role="status">Saved</span>}
      <ActionFault error={save.error ?? open.error} />
    </div>
  );
}
