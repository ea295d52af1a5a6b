import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { ActionFault } from '../../parts/states.js';
import { Button } from '../../parts/controls.js';
import { actionColumn } from '../../parts/dialogs.js';
import { column, DataTable } from '../../parts/data-table.js';
import { Time } from '../../parts/marks.js';

type OwnKey = RoutePayload<'GET /backend/partner'>['keys'][number];

/** The keys with which programs of the partner send signals; the secret of a new one is shown once. */
export function OwnKeys({ keys, most }: { keys: readonly OwnKey[]; most: number }) {
  const make = useAction('POST /backend/partner/keys');
  return (
    <>
      <p class="quiet">
        For programs: <a href="/docs/partner-signals">how to send signals</a>. At most {most}.
      </p>
      <DataTable<OwnKey>
        caption="Keys"
        rows={keys}
        keyOf="key"
        empty="No key: only this page sends signals."
        columns={[
          column.word('Key', ({ key }) => <code>{key}</code>, 'start'),
          column.word(
            'Used',
            ({ lastUsedAt, addresses }) => (
              <>
                {lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />}
                {addresses.length > 0 && `, from ${addresses.join(', ')} alone`}
              </>
            ),
            'below',
            'lastUsedAt',
          ),
          column.time('Made', 'createdAt'),
          actionColumn('End', ({ key }) => ({
            route: 'DELETE /backend/partner/keys/{key}',
            input: { key },
            verb: 'Revoke',
            label: `Revoke ${key}`,
            question: 'Programs that use this key are refused from now on.',
          })),
        ]}
      />
      {make.done && (
        <div class="line" role="status">
          <p>
            Key <code>{make.done.key}</code>, secret <code>{make.done.secret}</code>
          </p>
          <p>The secret is shown this once: store it now.</p>
        </div>
      )}
      <p class="actions">
        <Button class="plain" disabled={make.isRunning || keys.length >= most} onClick={() => make.run({})}>
          New key
        </Button>
      </p>
      <ActionFault error={make.error} />
    </>
  );
}
