import { useEffect, useRef, useState } from 'preact/hooks';
import { AskError } from '../../client/ask-error.js';
import { ask } from '../../client/ask.js';
import { TextField } from '../../parts/input-field.js';
import { PageHead } from '../../parts/page-head.js';
import { session } from '../../shell/session.js';
import type { PageProps } from '../../shell/shown-page.js';
import { Conversations } from './conversations.js';
import { Sources } from './sources.js';
import type { Turn } from './turn.js';

const examples = ['Where does BTC stand?', 'What would flip ETH?', 'Which assets rise the most today?'];

/** Questions in plain words; answers come word by word, with what they rest on. */
export function AssistantPage({ query }: PageProps) {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [question, setQuestion] = useState(query.get('q') ?? '');
  const conversation = useRef<string | undefined>(undefined);
  const running = useRef<AbortController | null>(null);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const change = (part: Partial<Turn>) =>
    setTurns((all) => [...all.slice(0, -1), { ...all.at(-1)!, ...part }]);

  const send = async (message: string) => {
    if (message.trim() === '' || running.current) return;
    const { signal } = (running.current = new AbortController());
    setRunning(true);
    setQuestion('');
    setTurns((all) => [...all, { question: message, text: '', tools: [], doing: 'thinking', error: null }]);
    let text = '';
    const onEvent = (name: string, data: unknown) => {
      if (name === 'token') {
        const { text: more, restart } = data as { text: string; restart?: true };
        text = restart ? more : text + more;
        change({ text });
      } else if (name === 'tool') change({ doing: (data as { tool: string }).tool.replaceAll('_', ' ') });
    };
    try {
      const known = conversation.current === undefined ? {} : { conversationId: conversation.current };
      const route = session.value?.user
        ? 'POST /backend/assistant/chat'
        : 'POST /backend/assistant/guest-chat';
      const { response, conversationId, figures } = await ask(
        route,
        { message, ...known },
        { signal, onEvent },
      );
      conversation.current = conversationId;
      change({ text: response, tools: figures.tools, doing: null });
    } catch (caught) {
      const isStopped = signal.aborted;
      change({
        doing: null,
        error: isStopped ? null : caught instanceof AskError ? caught : new AskError(0, String(caught)),
      });
    } finally {
      running.current = null;
      setRunning(false);
    }
  };
  // A question that came with the link is asked once it is known who asks.
  const isKnown = session.value !== null;
  useEffect(() => {
    if (isKnown && query.get('q')) void send(query.get('q')!);
  }, [isKnown]);

  return (
    <>
      <PageHead title="Assistant" />
      <div class={session.value?.user ? 'beside' : 'text'}>
        <div>
          <div class="turns" aria-live="polite">
            {turns.map((turn, n) => (
              <article key={n} class="panel">
                <h2>{turn.question}</h2>
                {turn.text !== '' && <p class="answer">{turn.text}</p>}
                {turn.doing !== null && <p class="quiet">{turn.doing}…</p>}
                {turn.error && <p class="failed">{turn.error.message}</p>}
                <Sources tools={turn.tools} />
              </article>
            ))}
          </div>
          <form
            class="panel"
            onSubmit={(event) => {
              event.preventDefault();
              void send(question);
            }}
          >
            <TextField
              label="Your question"
              rows={2}
              maxLength={2_000}
              required
              value={question}
              onChange={setQuestion}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey) return;
                event.preventDefault();
                void send(question);
              }}
            />
            <div class="actions">
              {isRunning ? (
                <button type="button" class="plain" onClick={() => running.current?.abort()}>
                  Stop
                </button>
              ) : (
                <button type="submit">Ask</button>
              )}
              {turns.length === 0 &&
                examples.map((example) => (
                  <button key={example} type="button" class="plain small" onClick={() => void send(example)}>
                    {example}
                  </button>
                ))}
            </div>
          </form>
        </div>
        {session.value?.user && (
          <Conversations
            onOpen={(id, known) => {
              conversation.current = id;
              setTurns(known);
            }}
          />
        )}
      </div>
    </>
  );
}
