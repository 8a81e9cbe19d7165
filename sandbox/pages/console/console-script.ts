/**
 * Runs in the browser on the console: applies updates, submits forms without leaving the page, copies text.
 * The server escapes all inserted markup. Sent as source, so it must not reference anything outside itself.
 */
export function runConsole(): void {
  const REFRESH_DELAY_MS = 60;
  const REFRESH_INTERVAL_MS = 1_000;
  const byId = (id: string) => document.getElementById(id);
  const notice = byId('notice');
  const connectionLabel = byId('live');
  let hideTimer: ReturnType<typeof setTimeout> | undefined;

  function showNotice(message: string, isError: boolean): void {
    if (!notice) return;
    clearTimeout(hideTimer);
    notice.textContent = message;
    notice.className = isError ? 'wrong' : '';
    hideTimer = setTimeout(() => notice.replaceChildren(), isError ? 8_000 : 3_500);
  }

  /** Applies a change and restores the focus and open details. */
  function preserveState(container: Element, change: () => void): void {
    const focused = container.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const opened = [...container.querySelectorAll('details[open]')].map(({ id }) => id);
    change();
    for (const id of opened) byId(id)?.setAttribute('open', '');
    if (focused) byId(focused)?.focus({ preventScroll: true });
  }

  /** The last markup received per element; compared instead of the DOM, which the user changes. */
  const lastMarkup = new Map<string, string>();
  const isNew = (id: string, markup: string) => {
    const changed = lastMarkup.get(id) !== markup;
    lastMarkup.set(id, markup);
    return changed;
  };

  function showPart(update: Element): void {
    const part = byId(update.id);
    if (part && isNew(update.id, update.innerHTML))
      preserveState(part, () => {
        part.replaceChildren(...update.childNodes);
      });
  }

  /** Rows have ids and arrive newest first. */
  function showRows(update: Element): void {
    const list = byId(update.id);
    const rows = [...update.children];
    if (!list) return;
    const changed = new Set(rows.filter((row) => isNew(row.id, row.outerHTML)).map(({ id }) => id));
    const ids = new Set(rows.map(({ id }) => id));
    preserveState(list, () => {
      for (const row of [...list.children])
        if (!ids.has(row.id)) {
          lastMarkup.delete(row.id);
          row.remove();
        }
      let before = list.firstElementChild;
      for (const row of rows) {
        const old = byId(row.id);
        if (!old) {
          row.classList.add('new');
          list.insertBefore(row, before);
        } else if (changed.has(row.id)) old.replaceWith(row);
        before = byId(row.id)?.nextElementSibling ?? null;
      }
    });
  }

  let loading = false;
  let isReloadPending = false;
  /** Loads the page again and applies what changed; a burst of events causes one load. */
  async function refresh(): Promise<void> {
    isReloadPending = loading;
    if (loading) return;
    loading = true;
    try {
      const text = await (await fetch('/')).text();
      const update = new DOMParser().parseFromString(text, 'text/html');
      for (const part of update.querySelectorAll('[data-live=part]')) showPart(part);
      for (const list of update.querySelectorAll('[data-live=rows]')) showRows(list);
    } catch {
      // The event stream shows whether the sandbox is still running.
    } finally {
      loading = false;
      if (isReloadPending) setTimeout(() => void refresh(), REFRESH_DELAY_MS);
    }
  }

  /** Converts a field's text to the type that the control routes expect. */
  function toValue(form: HTMLFormElement, name: string, text: string): unknown {
    if (form.querySelector(`[name="${name}"]:is([type=number], button)`)) return Number(text);
    if (name === 'nth') return text.split(',').map(Number);
    if (name !== 'headers') return text;
    const lines = text.split('\n').filter((line) => line.includes(':'));
    return Object.fromEntries(lines.map((line) => line.split(/:(.*)/s, 2).map((part) => part.trim())));
  }

  /** Returns the filled-in fields of a form as JSON. */
  function toBody(form: HTMLFormElement, submitter: HTMLElement | null): object {
    const fields = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)] as const);
    const { list, within } = form.dataset;
    if (list !== undefined) return { [list]: fields.map(([, value]) => value) };
    const filled = fields.filter(([, value]) => value.trim() !== '');
    const body = Object.fromEntries(filled.map(([name, value]) => [name, toValue(form, name, value)]));
    if ('amount' in body) return { ms: Number(body['amount']) * Number(body['unit']) };
    return within === undefined ? body : { [within]: body };
  }

  async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    const [method = 'POST', path = ''] = (form.dataset['act'] ?? '').split(' ');
    try {
      const response = await fetch(`/_sandbox${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(toBody(form, submitter)),
      });
      const text = await response.text();
      if (response.ok) showNotice(form.dataset['done'] ?? 'Done', false);
      else showNotice((JSON.parse(text) as { error: string }).error, true);
    } catch {
      showNotice('The sandbox does not respond. Check that it is still running.', true);
    }
  }

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    event.preventDefault();
    const question = form.dataset['confirm'];
    if (question === undefined || confirm(question)) void send(form, event.submitter);
  });

  document.addEventListener('click', (event) => {
    const text = (event.target as Element).closest<HTMLElement>('[data-copy]')?.dataset['copy'];
    if (text === undefined) return;
    navigator.clipboard.writeText(text).then(
      () => showNotice('Copied', false),
      () => showNotice('The browser blocked copying', true),
    );
  });

  const stream = new EventSource('/_sandbox/events');
  const showConnection = (state: string, on: boolean) => {
    if (!connectionLabel || connectionLabel.textContent === state) return;
    connectionLabel.textContent = state;
    connectionLabel.classList.toggle('on', on);
  };
  stream.addEventListener('open', () => {
    showConnection('live', true);
    void refresh();
  });
  stream.addEventListener('error', () => showConnection('disconnected', false));
  for (const eventName of ['request', 'delivery']) stream.addEventListener(eventName, () => void refresh());
  // Visits and the clock change without an event.
  setInterval(() => {
    if (document.visibilityState === 'visible') void refresh();
  }, REFRESH_INTERVAL_MS);
  for (const element of document.querySelectorAll('[data-live=part]')) lastMarkup.set(element.id, element.innerHTML);
  byId('table-links')?.setAttribute('open', '');
}
