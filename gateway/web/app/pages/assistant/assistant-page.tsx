import { useEffect, useRef, useState } from 'preact/hooks';
import type { AskError } from '../../client/ask.js';
import { useAction } from '../../client/use-action.js';
import { Button } from '../../parts/controls.js';
import { InputField } from '../../parts/fields.js';
import { PageHead } from '../../parts/page.js';
import { session } from '../../shell/session.js';
import { goQuery, type PageProps } from '../../shell/route.js';
import { Conversations, Sources, type Turn } from './turns.js';

const examples = ['Where does BTC stand?', 'What would flip ETH?', 'Which assets rise the most today?'];

/** Questions in plain words; answers come word by word, with what they rest on. */
export function AssistantPage({ query }: PageProps) {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [question, setQuestion] = useState(query.get('q') ?? '');
  const conversation = useRef<string | undefined>(undefined);
  const user = session.value?.user;
  const chat = useAction(user ? 'POST /backend/assistant/chat' : 'POST /backend/assistant/guest-chat');
  const change = (part: (turn: Turn) => Partial<Turn>) =>
    setTurns((all) => all.with(-1, { ...all.at(-1)!, ...part(all.at(-1)!) }));
  const onEvent = (name: string, data: unknown) => {
    const { text = '', restart, tool = '' } = data as { text?: string; restart?: true; tool?: string };
    if (name === 'token') change((turn) => ({ text: restart ? text : turn.text + text }));
    if (name === 'tool') change(() => ({ doing: tool.replaceAll('_', ' ') }));
  };
  const send = (message: string) => {
    if (message.trim() === '' || chat.isRunning) return;
    setQuestion('');
    setTurns((all) => [...all, { question: message, text: '', tools: [], doing: 'thinking', error: null }]);
    const onFault = (error: AskError) => {
      change(() => ({ error, doing: null }));
      setQuestion((typed) => typed || message);
    };
    chat.run(
      { message, ...(conversation.current && { conversationId: conversation.current }) },
      ({ response, conversationId, figures: { tools } }) => {
        conversation.current = conversationId;
        change(() => ({ text: response, tools, doing: null }));
      },
      { onEvent, onFault },
    );
  };
  const stop = () => {
    chat.cancel();
    change(() => ({ doing: null }));
  };
  const open = (id: string | undefined, known: readonly Turn[]) => {
    chat.cancel();
    conversation.current = id;
    setTurns(known);
  };
  // A question that came with a link is asked once, for visitors, as from the first page; a link of another site says nothing for a user.
  const isKnown = session.value !== null;
  useEffect(() => {
    const asked = query.get('q');
    if (!isKnown || !asked) return;
    if (!user) send(asked);
    goQuery({ q: null });
  }, [isKnown]);

  return (
    <>
      <PageHead title="Assistant" />
      <div class={user ? 'beside' : 'text'}>
        <div>
          <div aria-live="polite" aria-busy={chat.isRunning}>
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
              send(question);
            }}
          >
            <InputField
              label="Your question"
              rows={2}
              maxLength={2_000}
              required
              value={question}
              onChange={setQuestion}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey) return;
                event.preventDefault();
                send(question);
              }}
            />
            <div class="actions">
              <button type="submit" aria-disabled={chat.isRunning}>
                Ask
              </button>
              {chat.isRunning && (
                <Button class="plain" onClick={stop}>
                  Stop
                </Button>
              )}
              {turns.length > 0 && <Button onClick={() => open(undefined, [])}>New conversation</Button>}
              {turns.length === 0 &&
                examples.map((example) => (
                  <Button key={example} onClick={() => send(example)}>
                    {example}
                  </Button>
                ))}
            </div>
          </form>
        </div>
        {user && <Conversations onOpen={open} />}
      </div>
    </>
  );
}
