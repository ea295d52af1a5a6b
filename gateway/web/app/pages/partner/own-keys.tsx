import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { actionColumn, AskedAction } from '../../parts/dialogs.js';
import { column, DataTable } from '../../parts/data-table.js';
import { Time } from '../../parts/marks.js';

type OwnKey = RoutePayload<'GET /backend/partner'>['keys'][number];

/** The keys with which programs of the partner send signals; the secret of a new one is shown once. */
export function OwnKeys({ keys, most }: { keys: readonly OwnKey[]; most: number }) {
  const [made, setMade] = useState<RoutePayload<'POST /backend/partner/keys'> | null>(null);
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
      {made && (
        <div class="line" role="status">
          <p>
            Key <code>{made.key}</code>, secret <code>{made.secret}</code>
          </p>
          <p>The secret is shown this once: store it now.</p>
        </div>
      )}
      <p class="actions">
        <AskedAction
          verb="New key"
          verbNow="Make it"
          class="plain"
          isDanger={false}
          disabled={keys.length >= most}
          route="POST /backend/partner/keys"
          input={{}}
          question="Whoever has it sends signals to all who follow your channels. Its secret is shown once."
          onDone={setMade}
        />
      </p>
    </>
  );
}
