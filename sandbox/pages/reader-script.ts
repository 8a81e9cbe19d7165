/**
 * Runs in the browser of someone who reads: turns pages without a new load, so that the focus stays, and tells the
 * service which page is in front of the reader. Sent as its own source: it must use nothing from outside itself.
 */
export function runReader(): void {
  const STILL_READING_MS = 4_000;
  const reader = () => document.getElementById('reader') as HTMLElement;
  const address = () => `/v/${encodeURIComponent(reader().dataset['visit'] ?? '')}/time`;
  let sending: Promise<unknown> = Promise.resolve();
  let turning = false;

  /** One report after the other: a late one must not undo what a newer one said. */
  function report(): void {
    if (document.visibilityState !== 'visible') return;
    const body = new URLSearchParams({ page: reader().dataset['page'] ?? '1' });
    sending = sending
      .then(() => fetch(address(), { method: 'POST', body, keepalive: true }))
      .catch(() => null);
  }

  /** Lives on when the page does not. */
  function leave(): void {
    navigator.sendBeacon(address(), new URLSearchParams({ away: '1' }));
  }

  function preloadNext(): void {
    const page = Number(reader().dataset['page']);
    const shown = reader().querySelector('img');
    if (shown && page < Number(reader().dataset['pages']))
      new Image().src = shown.src.replace(/\d+\.svg$/, `${page + 1}.svg`);
  }

  async function turnTo(href: string, remember: boolean): Promise<void> {
    if (turning) return;
    turning = true;
    try {
      const answer = await fetch(href);
      if (!answer.ok) throw new Error(String(answer.status));
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('reader');
      if (!next) throw new Error('no page');
      const focused = document.activeElement?.id;
      reader().replaceWith(document.importNode(next, true));
      if (remember) history.pushState(null, '', href);
      if (focused) {
        const again = document.getElementById(focused);
        // At the last page "next" leads nowhere: the focus goes to the way back.
        (again?.hasAttribute('href')
          ? again
          : document.querySelector<HTMLElement>('.pager a[href]')
        )?.focus();
      }
      window.scrollTo({ top: 0 });
      const { page, pages } = reader().dataset;
      const announce = document.getElementById('announce');
      if (announce) announce.textContent = `Page ${page} of ${pages}`;
      report();
      preloadNext();
    } catch {
      location.href = href;
    } finally {
      turning = false;
    }
  }

  document.addEventListener('click', (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest<HTMLAnchorElement>('#reader nav a[href]');
    if (!link) return;
    event.preventDefault();
    void turnTo(link.href, true);
  });

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = ['ArrowRight', 'PageDown'].includes(event.key);
    const back = ['ArrowLeft', 'PageUp'].includes(event.key);
    const link = document.querySelector<HTMLAnchorElement>(
      forward ? '#next[href]' : back ? '#prev[href]' : '#none',
    );
    if (!link) return;
    event.preventDefault();
    void turnTo(link.href, true);
  });

  window.addEventListener('popstate', () => void turnTo(location.href, false));
  document.addEventListener('visibilitychange', () => (document.hidden ? leave() : report()));
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) report();
  });
  setInterval(report, STILL_READING_MS);
  if (document.hidden) leave();
  report();
  preloadNext();
}
