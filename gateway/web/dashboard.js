// The page of operators: signs in, and shows the state of the cluster every two seconds. Everything that comes from the
// service is put in as text, never as markup.

const pollMs = 2_000;
const tokenName = 'tidemark-session';
const byId = (id) => document.getElementById(id);

/** An error of the service, or of the way there. */
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, body) {
  const token = sessionStorage.getItem(tokenName);
  const answer = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(token ? { 'session-token': token } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    cache: 'no-store',
  }).catch(() => {
    throw new Refusal(0, 'the service does not answer');
  });
  const { payload } = await answer.json().catch(() => ({ payload: { message: 'no answer in JSON' } }));
  if (!answer.ok) throw new Refusal(answer.status, payload?.message ?? `status ${answer.status}`);
  return payload;
}

/** An element with its text or children. */
function make(tag, content = '', { className = '', ...attributes } = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...(Array.isArray(content) ? content : [String(content)]));
  return element;
}

const ago = (iso, at) => {
  const seconds = Math.max(0, Math.round((Date.parse(at) - Date.parse(iso)) / 1000));
  return `${span(seconds)} ago`;
};
const ahead = (iso, at) => {
  const seconds = Math.round((Date.parse(iso) - Date.parse(at)) / 1000);
  return seconds <= 0 ? 'now' : `in ${span(seconds)}`;
};
function span(seconds) {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
const percent = (share) => `${Math.round(share * 100)} %`;
const timeOf = (iso) => make('time', new Date(iso).toLocaleString(), { datetime: iso });

/** Fills a table: columns are [title, class], rows are lists of text or elements. */
function fillTable(table, columns, rows) {
  const head = make('thead', [
    make(
      'tr',
      columns.map(([title, className]) => make('th', title, { className, scope: 'col' })),
    ),
  ]);
  const body = make(
    'tbody',
    rows.length === 0
      ? [make('tr', [make('td', 'none', { className: 'quiet', colspan: columns.length })])]
      : rows.map((row) =>
          make(
            'tr',
            row.map((cell, n) =>
              make('td', cell instanceof Node ? [cell] : cell, { className: columns[n][1] }),
            ),
          ),
        ),
  );
  table.replaceChildren(head, body);
}

function meter(value, text) {
  const bar = make('meter', text, { min: 0, max: 1, high: 0.85, value: Math.min(1, value) });
  return make('span', [bar, text]);
}

const threadsOf = ({ threads, busy }) =>
  threads === null
    ? '–'
    : `${busy?.interactive ?? 0} of ${threads.interactive} short, ${busy?.background ?? 0} of ${threads.background} long`;

function showNodes({ nodes, at }) {
  const rows = nodes.map((node) => [
    node.role,
    node.lost ? make('span', 'lost', { className: 'bad' }) : make('span', 'alive', { className: 'good' }),
    `${node.host}:${node.pid}`,
    node.version,
    threadsOf(node),
    node.running,
    percent(node.load.cpu),
    meter(node.load.eventLoop, percent(node.load.eventLoop)),
    ago(node.startedAt, at),
    ago(node.lastHeartbeat, at),
    node.queues.length === 0 ? '–' : node.queues.join(', '),
  ]);
  const columns = [
    ...[['role'], ['state'], ['host'], ['version'], ['busy threads'], ['in hand', 'number']],
    ...[['CPU', 'number'], ['event loop'], ['started'], ['last heartbeat'], ['takes from']],
  ];
  fillTable(byId('nodes'), columns, rows);
}

function showQueues({ queues }) {
  const count = (value, className) => (value > 0 ? make('span', value, { className }) : value);
  const rows = queues.map(({ name, nodes, waiting, active, delayed, failed, oldestWaitMs }) => [
    name,
    nodes > 0 ? nodes : make('span', 'none', { className: 'bad' }),
    waiting,
    active,
    delayed,
    count(failed, 'bad'),
    oldestWaitMs === null ? '–' : `${(oldestWaitMs / 1000).toFixed(1)} s`,
  ]);
  const columns = [
    ...[['queue'], ['taken by', 'number'], ['waiting', 'number'], ['running', 'number'], ['later', 'number']],
    ...[
      ['failed for good', 'number'],
      ['longest wait', 'number'],
    ],
  ];
  fillTable(byId('queues'), columns, rows);
}

const outcomeClass = { done: 'good', failed: 'bad', interrupted: 'warn', running: 'warn' };

function showSchedules({ schedules, at }) {
  const rows = schedules.map(({ name, summary, pattern, nextRunAt, lastRun }) => [
    make('span', name, { title: summary }),
    make('code', pattern),
    lastRun ? ago(lastRun.startedAt, at) : 'never',
    lastRun ? make('span', lastRun.outcome, { className: outcomeClass[lastRun.outcome] }) : '–',
    nextRunAt ? ahead(nextRunAt, at) : 'not set up',
    lastRun?.note ?? summary,
  ]);
  const columns = [['schedule'], ['pattern, UTC'], ['last run'], ['ended'], ['next run'], ['note', 'wide']];
  fillTable(byId('schedules'), columns, rows);
}

/** Letters stay in place while they are the same, so that an open one stays open. */
const shownLetters = new Map();

function showDead({ dead, at }) {
  const list = byId('dead');
  const keyOf = ({ id, times }) => `${id} ${times}`;
  const wanted = new Set(dead.map(keyOf));
  for (const [key, element] of shownLetters) {
    if (wanted.has(key)) continue;
    element.remove();
    shownLetters.delete(key);
  }
  dead.forEach((letter, n) => {
    const key = keyOf(letter);
    const element = shownLetters.get(key) ?? letterElement(letter);
    shownLetters.set(key, element);
    element.querySelector('.when').textContent = ago(letter.at, at);
    if (list.children[n] !== element) list.insertBefore(element, list.children[n] ?? null);
  });
  byId('dead-title').textContent = `Jobs that failed for good (${dead.length})`;
}

function letterElement(letter) {
  const { id, queue, name, error, payload, complete, traceId, attempts, times, node, at } = letter;
  const retry = make('button', 'Retry', { type: 'button', 'aria-label': `Retry ${name} ${id}` });
  const drop = make('button', 'Drop', { type: 'button', 'aria-label': `Drop ${name} ${id}` });
  retry.disabled = !complete;
  const act = (path, done) => async () => {
    retry.disabled = drop.disabled = true;
    byId('dead-result').textContent = `${name}: …`;
    try {
      await ask(path, { id });
      byId('dead-result').textContent = `${name}: ${done}`;
    } catch (failure) {
      byId('dead-result').textContent = `${name}: ${failure.message}`;
      retry.disabled = !complete;
      drop.disabled = false;
    }
    await refresh();
  };
  retry.addEventListener('click', act('/operator/dead-letters/retry', 'succeeded'));
  drop.addEventListener('click', act('/operator/dead-letters/drop', 'thrown away'));
  const about = [
    `${queue}, ${times} × failed, ${attempts} ${attempts === 1 ? 'try' : 'tries'}, on ${node}, `,
    make('span', '', { className: 'when', title: at }),
    `, trace ${traceId}, id ${id}`,
  ];
  return make('li', [
    make(
      'div',
      [
        ...[make('strong', name), make('code', error.code, { className: 'bad' })],
        make('span', [retry, drop], { className: 'buttons' }),
      ],
      { className: 'head' },
    ),
    make('p', error.message),
    make('p', about, { className: 'quiet' }),
    make('details', [
      make('summary', 'Payload and stack'),
      make('pre', JSON.stringify(payload, null, 2), { tabindex: '0' }),
      make('pre', error.stack ?? 'no stack', { tabindex: '0' }),
    ]),
  ]);
}

function showTotals({ nodes, queues, dead }) {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const alive = nodes.filter(({ lost }) => !lost);
  const lost = nodes.length - alive.length;
  const totals = [
    [alive.length, lost === 0 ? 'processes' : `processes, ${lost} lost`, lost > 0],
    [sum(alive.map(({ threads }) => threads?.interactive ?? 0)), 'threads for short work'],
    [sum(queues.map(({ waiting }) => waiting)), 'jobs waiting'],
    [sum(queues.map(({ active }) => active)), 'jobs running'],
    [dead.length, 'failed for good', dead.length > 0],
  ];
  byId('totals').replaceChildren(
    ...totals.map(([value, title, isBad]) =>
      make('li', [make('strong', value, { className: isBad ? 'bad' : '' }), title]),
    ),
  );
}

function showSignIn(message = '') {
  sessionStorage.removeItem(tokenName);
  clearTimeout(timer);
  byId('cluster').hidden = byId('sign-out').hidden = byId('connection').hidden = true;
  byId('sign-in').hidden = false;
  byId('sign-in-error').textContent = message;
  byId('email').focus();
}

let timer;

async function refresh() {
  clearTimeout(timer);
  try {
    const view = await ask('/operator/cluster');
    byId('sign-in').hidden = true;
    byId('cluster').hidden = byId('sign-out').hidden = byId('connection').hidden = false;
    byId('connection').replaceChildren('as of ', timeOf(view.at));
    byId('connection').className = '';
    for (const show of [showTotals, showNodes, showQueues, showSchedules, showDead]) show(view);
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    if (failure.status === 401) return showSignIn('Your session is over: sign in again.');
    if (failure.status === 403) return showSignIn('This account is not an operator.');
    byId('connection').hidden = false;
    byId('connection').className = 'error';
    byId('connection').textContent = failure.message;
  }
  timer = setTimeout(refresh, pollMs);
}

byId('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const submit = form.querySelector('button');
  submit.disabled = true;
  try {
    const { token } = await ask('/backend/login', {
      email: form.email.value,
      password: form.password.value,
    });
    sessionStorage.setItem(tokenName, token);
    form.reset();
    await refresh();
  } catch (failure) {
    byId('sign-in-error').textContent = failure.message;
  } finally {
    submit.disabled = false;
  }
});

byId('sign-out').addEventListener('click', () => showSignIn());

if (sessionStorage.getItem(tokenName)) void refresh();
else showSignIn();
