import { prepareEntries, rankedEntries, type DocsEntry } from './ranked-entries.js';

const mostResults = 30;
const mostFields = 6;
const indexPath = '/docs/search-index.js';

/** Opens the search over guides, endpoints and their fields. The slash key goes to it; what is known comes with the first use. */
export function openSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#search')!;
  input.closest<HTMLElement>('[role="search"]')!.hidden = false;
  let loading: Promise<ReturnType<typeof prepareEntries>> | undefined;
  const load = async () => {
    const { entries } = (await import(indexPath)) as { entries: DocsEntry[] };
    return prepareEntries(entries);
  };
  input.addEventListener('focus', () => void (loading ??= load()), { once: true });
  const answer = async () => {
    const known = await (loading ??= load());
    const question = input.value.trim();
    showResults(question === '' ? null : rankedEntries(known, question), question);
  };
  input.addEventListener('input', () => void answer());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

function showResults(found: readonly DocsEntry[] | null, question: string): void {
  document.querySelector<HTMLElement>('#contents')!.hidden = found !== null;
  const shown = (found ?? []).slice(0, mostResults).map((entry) => resultOf(entry, question));
  document.querySelector('#results')!.replaceChildren(...shown);
  const more = (found?.length ?? 0) > mostResults ? `, the first ${mostResults}` : '';
  const count = found?.length === 1 ? '1 place' : `${found?.length} places${more}`;
  document.querySelector('#found')!.textContent = found === null ? '' : count;
}

/** An entry as a link, with the fields that were asked for, else with what it is about. */
function resultOf([title, path, summary, href, fields]: DocsEntry, question: string): HTMLElement {
  const words = question.toLowerCase().split(/\s+/);
  const matched = fields
    .split(' ')
    .filter((field) => words.some((word) => field.toLowerCase().includes(word)));
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = path === '' ? title : path;
  const more = document.createElement('small');
  more.textContent =
    matched.length > 0 && matched[0] !== '' ? matched.slice(0, mostFields).join(', ') : summary;
  item.append(link, more);
  return item;
}
