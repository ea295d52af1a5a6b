import type { AnswerOf } from '../../client/use-answer.js';
import { FigureList } from '../../parts/lists.js';
import { Panel } from '../../parts/page.js';
import { Time } from '../../parts/marks.js';

/** The accounts that are read, and whether that works. */
export const Accounts = ({ answer }: { answer: AnswerOf<'GET /backend/exchanges'> }) => (
  <Panel
    title="Accounts"
    answer={answer}
    size={6}
    tools={
      <a class="button plain small" href="/account/exchanges">
        Connect an exchange
      </a>
    }
  >
    {({ exchanges }) =>
      exchanges.length === 0 ? (
        'None yet. A paper account comes with the first paper holding.'
      ) : (
        <FigureList
          rows={exchanges.map(({ exchange, fault, syncedAt, mayTrade }) => [
            exchange,
            mayTrade ? '' : 'read only',
            <>
              {fault === null ? '✓ ok' : `✗ ${fault}`}{' '}
              {syncedAt !== null && (
                <span class="quiet">
                  read <Time at={syncedAt} />
                </span>
              )}
            </>,
          ])}
        />
      )
    }
  </Panel>
);
