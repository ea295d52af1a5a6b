import type { AskError } from '../../client/ask.js';
import type { RoutePayload } from '../../client/routes.js';
import { useAction } from '../../client/use-action.js';
import { useAnswer } from '../../client/use-answer.js';
import { Button } from '../../parts/controls.js';
import { Time } from '../../parts/marks.js';
import { Panel } from '../../parts/page.js';
import { ActionFault } from '../../parts/states.js';
import { listedFrom, Older } from '../../parts/table-panel.js';

/** A question to the assistant with its answer, as far as it has come. */
export interface Turn {
  question: string;
  text: string;
  tools: RoutePayload<'POST /backend/assistant/chat'>['figures']['tools'];
  /** What it does at the moment. */
  doing: string | null;
  error: AskError | null;
}

/** Which page shows what a tool has read. */
const placesOf: readonly [RegExp, string, string][] = [
  [/portfolio|position|balance|equity|pnl/, '/app/portfolio', 'Portfolio'],
  [/signal|channel|order/, '/app/signals', 'Signals'],
  [/backtest|strategy/, '/app/backtests', 'Backtests'],
];

function linkOf({ tool, args }: Turn['tools'][number]): [to: string, name: string] {
  for (const [pattern, to, name] of placesOf) if (pattern.test(tool)) return [to, name];
  const asset = args.asset ?? args.base_asset ?? args.coin;
  return typeof asset === 'string' ? [`/app/asset/${encodeURIComponent(asset)}`, asset] : ['/app', 'Market'];
}

/** What an answer rests on: each tool with its time and market, and the page that shows the same. */
export function Sources({ tools }: { tools: Turn['tools'] }) {
  if (tools.length === 0) return null;
  return (
    <section aria-label="Sources">
      <h3>Sources</h3>
      <ul class="evidence">
        {tools.map((source, n) => {
          const [to, name] = linkOf(source);
          return (
            <li key={n}>
              {source.tool.replaceAll('_', ' ')}, <Time at={source.asOf} />, {source.source}:{' '}
              <a href={to}>{name}</a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Earlier conversations, to be gone on with. */
export function Conversations({ onOpen }: { onOpen: (id: string, turns: readonly Turn[]) => void }) {
  const answer = useAnswer('GET /backend/conversations', { limit: 20, ...listedFrom() });
  const read = useAction('GET /backend/conversations/{id}');
  const open = (id: string) => read.run({ id }, ({ messages }) => onOpen(id, turnsOf(messages)));
  return (
    <Panel title="Conversations" answer={answer} size={10}>
      {({ conversations, nextCursor }) =>
        conversations.length === 0 ? (
          'None yet. Each question begins one, and can be gone on with.'
        ) : (
          <>
            <ActionFault error={read.error} />
            <ul class="rows">
              {conversations.map(({ conversationId, title, updatedAt }) => (
                <li key={conversationId}>
                  <Button class="plain" onClick={() => open(conversationId)}>
                    {title}
                  </Button>
                  <span class="quiet">
                    <Time at={updatedAt} />
                  </span>
                </li>
              ))}
            </ul>
            <Older next={nextCursor} />
          </>
        )
      }
    </Panel>
  );
}

type Message = RoutePayload<'GET /backend/conversations/{id}'>['messages'][number];

const turnsOf = (messages: readonly Message[]): Turn[] =>
  messages.flatMap(({ role, text: question }, n) => {
    if (role !== 'user') return [];
    const text = messages[n + 1]?.role === 'assistant' ? messages[n + 1].text : '';
    return [{ question, text, tools: [], doing: null, error: null }];
  });
