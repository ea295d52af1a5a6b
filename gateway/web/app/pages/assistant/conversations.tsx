import { ask } from '../../client/ask.js';
import { useAnswer } from '../../client/use-answer.js';
import { Button } from '../../parts/controls.js';
import { Panel } from '../../parts/page.js';
import { Time } from '../../parts/marks.js';
import type { Turn } from './sources.js';

/** Earlier conversations, to be gone on with. */
export function Conversations({ onOpen }: { onOpen: (id: string, turns: readonly Turn[]) => void }) {
  const answer = useAnswer('GET /backend/conversations', { limit: 20 });
  const open = async (id: string) => {
    const { messages } = await ask('GET /backend/conversations/{id}', { id });
    const turns = messages.flatMap(({ role, text }, n): Turn[] => {
      if (role !== 'user') return [];
      const reply = messages[n + 1]?.role === 'assistant' ? messages[n + 1].text : '';
      return [{ question: text, text: reply, tools: [], doing: null, error: null }];
    });
    onOpen(id, turns);
  };
  return (
    <Panel title="Conversations" answer={answer} size={10}>
      {({ conversations }) =>
        conversations.length === 0 ? (
          'None yet. Each question begins one, and can be gone on with.'
        ) : (
          <ul class="rows">
            {conversations.map(({ conversationId, title, updatedAt }) => (
              <li key={conversationId}>
                <Button class="plain" onClick={() => void open(conversationId)}>
                  {title}
                </Button>
                <span class="quiet">
                  <Time at={updatedAt} />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}
