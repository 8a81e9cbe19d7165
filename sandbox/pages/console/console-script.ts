/**
 * Runs in the browser at the console page: brings in what the stream says, sends forms without leaving the page, copies.
 * All markup it inserts was made and escaped by the server. Sent as its own source: it must use nothing from outside.
 */
export function runConsole(): void {
  const byId = (id: string) => document.getElementById(id);
  const notice = byId('notice');
  const live = byId('live');
  let hiding: ReturnType<typeof setTimeout> | undefined;

  function tell(message: string, wrong: boolean): void {
    if (!notice) return;
    clearTimeout(hiding);
    notice.textContent = message;
    notice.className = wrong ? 'wrong' : '';
    hiding = setTimeout(() => notice.replaceChildren(), wrong ? 8_000 : 3_500);
  }

  /** Changes something and keeps what the person had: the focus and what stood open. */
  function keeping(holder: Element, change: () => void): void {
    const focused = holder.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const opened = [...holder.querySelectorAll('details[open]')].map(({ id }) => id);
    change();
    for (const id of opened) byId(id)?.setAttribute('open', '');
    if (focused) byId(focused)?.focus({ preventScroll: true });
  }

  function toElement(html: string): Element | null {
    const template = document.createElement('template');
    template.innerHTML = html.trim();
    return template.content.firstElementChild;
  }

  function showPart({ id, html }: { id: string; html: string }): void {
    const part = byId(id);
    if (part)
      keeping(part, () => {
        part.innerHTML = html;
      });
  }

  /** `ids` is what the list holds now, newest first; `rows` the markup of those that are new or changed. */
  function showRows(change: { list: string; ids: string[]; rows: Record<string, string> }): void {
    const list = byId(change.list);
    if (!list) return;
    keeping(list, () => {
      for (const row of [...list.children]) if (!change.ids.includes(row.id)) row.remove();
      let before = list.firstElementChild;
      for (const id of change.ids) {
        const markup = change.rows[id];
        const fresh = markup === undefined ? null : toElement(markup);
        const old = byId(id);
        if (fresh && old) {
          if (old.outerHTML !== fresh.outerHTML) old.replaceWith(fresh);
        } else if (fresh) {
          fresh.classList.add('new');
          list.insertBefore(fresh, before);
        }
        before = byId(id)?.nextElementSibling ?? null;
      }
    });
  }

  const NUMBERS = [
    'ms',
    'amount',
    'unit',
    'times',
    'probability',
    'status',
    'delayMs',
    'bodyDelayMs',
    'truncate',
  ];

  /** A field's text as the control routes want it. */
  function toValue(name: string, text: string): unknown {
    if (NUMBERS.includes(name)) return Number(text);
    if (name === 'nth') return text.split(',').map(Number);
    if (name !== 'headers') return text;
    const lines = text.split('\n').filter((line) => line.includes(':'));
    return Object.fromEntries(lines.map((line) => line.split(/:(.*)/s, 2).map((part) => part.trim())));
  }

  /** What a form says as JSON; what no one filled in is left out. */
  function toBody(form: HTMLFormElement, submitter: HTMLElement | null): object {
    const fields = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)] as const);
    const { list, within } = form.dataset;
    if (list !== undefined) return { [list]: fields.map(([, value]) => value) };
    const filled = fields.filter(([, value]) => value.trim() !== '');
    const body = Object.fromEntries(filled.map(([name, value]) => [name, toValue(name, value)]));
    if ('amount' in body) return { ms: Number(body['amount']) * Number(body['unit']) };
    return within === undefined ? body : { [within]: body };
  }

  async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    const [method = 'POST', path = ''] = (form.dataset['act'] ?? '').split(' ');
    try {
      const answer = await fetch(`/_sandbox${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(toBody(form, submitter)),
      });
      const text = await answer.text();
      if (answer.ok) tell(form.dataset['done'] ?? 'Done', false);
      else tell((JSON.parse(text) as { error: string }).error, true);
    } catch {
      tell('The sandbox does not answer: is it still running?', true);
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
      () => tell('Copied', false),
      () => tell('The browser did not allow to copy', true),
    );
  });

  const stream = new EventSource('/_sandbox/stream');
  const say = (state: string, on: boolean) => {
    if (!live || live.textContent === state) return;
    live.textContent = state;
    live.classList.toggle('on', on);
  };
  stream.addEventListener('open', () => say('live', true));
  stream.addEventListener('error', () => say('not connected', false));
  stream.addEventListener('part', (event) => showPart(JSON.parse(event.data)));
  stream.addEventListener('rows', (event) => showRows(JSON.parse(event.data)));
  byId('table-links')?.setAttribute('open', '');
}
