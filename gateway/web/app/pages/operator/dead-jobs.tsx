import type { RoutePayload } from '../../client/routes.js';
import { Entry } from '../../parts/lists.js';
import { Time } from '../../parts/marks.js';
import { AskedAction } from '../../parts/dialogs.js';

type Retried = RoutePayload<'POST /operator/dead-letters/retry-all'>;
type DeadJob = RoutePayload<'GET /operator/cluster'>['dead'][number];

/** Jobs that failed for good, to be looked at, run again, or dropped. */
export function DeadJobs({ dead, onDone }: { dead: readonly DeadJob[]; onDone: (text: string) => void }) {
  if (dead.length === 0) return <p class="empty">No job has failed for good.</p>;
  return (
    <>
      <p class="actions">
        <AskedAction
          route="POST /operator/dead-letters/retry-all"
          input={{}}
          verb="Retry all"
          label="Retry all dead jobs"
          question={`${dead.length} jobs run again.`}
          onDone={(payload) => onDone(retriedText(payload))}
        />
        <AskedAction
          route="POST /operator/dead-letters/drop"
          input={{ id: 'all' }}
          verb="Drop all"
          label="Drop all dead jobs"
          question={`${dead.length} jobs are deleted and cannot be run again.`}
          onDone={() => onDone('They are deleted')}
        />
      </p>
      {dead.map(({ id, name, queue, error, payload, at, attempts, times, node, traceId, complete }) => (
        <Entry
          key={id}
          title={
            <>
              {name} <code class="fault">{error.code}</code>
            </>
          }
          tools={
            <>
              {complete && (
                <AskedAction
                  route="POST /operator/dead-letters/retry"
                  input={{ id }}
                  verb="Retry"
                  label={`Retry ${name} ${id}`}
                  question={`${name} runs again.`}
                  onDone={() => onDone(`${name} has run again`)}
                />
              )}
              <AskedAction
                route="POST /operator/dead-letters/drop"
                input={{ id }}
                verb="Drop"
                label={`Drop ${name} ${id}`}
                question={`${name} is deleted and cannot be run again.`}
                onDone={() => onDone(`${name} is deleted`)}
              />
            </>
          }
        >
          <p>{error.message}</p>
          <p class="quiet">
            {queue}, failed {times} times, {attempts} attempts in the last run, on {node}, <Time at={at} />,
            trace {traceId}, id {id}
          </p>
          <details>
            <summary>Payload and stack</summary>
            <pre class="scroll" tabIndex={0}>
              {JSON.stringify(payload, null, 2)}
              {'\n'}
              {error.stack}
            </pre>
          </details>
        </Entry>
      ))}
    </>
  );
}

const retriedText = ({ retried, failed, incomplete, left }: Retried): string =>
  [
    `${retried} succeeded`,
    ...(failed > 0 ? [`${failed} failed again`] : []),
    ...(incomplete > 0 ? [`${incomplete} cannot run again`] : []),
    ...(left > 0 ? [`${left} left: press again`] : []),
  ].join(', ');
