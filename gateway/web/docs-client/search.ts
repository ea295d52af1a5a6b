const mostResults = 30;

interface Endpoint {
  id: string;
  name: string;
  summary: string;
  fields: string[];
}

/** Opens the search over endpoints and their fields. The slash key goes to it. */
export function openSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#search')!;
  const box = input.closest<HTMLElement>('[role="search"]')!;
  const endpoints = [...document.querySelectorAll<HTMLElement>('.endpoint')].map(endpointOf);
  box.hidden = false;
  input.addEventListener('input', () => showResults(endpoints, input.value.trim().toLowerCase()));
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

const endpointOf = (section: HTMLElement): Endpoint => ({
  id: section.id,
  name: section.querySelector('h3 .name')!.textContent,
  summary: section.querySelector('p')!.textContent.trim(),
  fields: [
    ...new Set([...section.querySelectorAll('td:first-child code')].map((field) => field.textContent)),
  ],
});

/** All words must be found: each in the name, the summary or a field. */
function showResults(endpoints: readonly Endpoint[], query: string): void {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const found = words.length === 0 ? [] : endpoints.filter((each) => words.every((word) => has(each, word)));
  // Those whose name has the words come first.
  const inName = ({ name }: Endpoint) => words.every((word) => name.toLowerCase().includes(word));
  const sorted = [...found].sort((a, b) => Number(inName(b)) - Number(inName(a)));
  document.querySelector<HTMLElement>('#contents')!.hidden = words.length > 0;
  document
    .querySelector('#results')!
    .replaceChildren(...sorted.slice(0, mostResults).map((each) => resultOf(each, words)));
  const more = found.length > mostResults ? `, the first ${mostResults}` : '';
  const count = found.length === 1 ? '1 endpoint' : `${found.length} endpoints${more}`;
  document.querySelector('#found')!.textContent = words.length === 0 ? '' : count;
}

const has = ({ name, summary, fields }: Endpoint, word: string): boolean =>
  [name, summary, ...fields].some((text) => text.toLowerCase().includes(word));

function resultOf({ id, name, fields }: Endpoint, words: readonly string[]): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `#${id}`;
  link.textContent = name;
  const matched = fields.filter((field) => words.some((word) => field.toLowerCase().includes(word)));
  const more = document.createElement('small');
  more.textContent = matched.slice(0, 6).join(', ');
  item.append(link, more);
  return item;
}
