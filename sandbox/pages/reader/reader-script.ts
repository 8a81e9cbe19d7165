import type { FileData, Previews } from './previews-script.ts';
import type { OpenFile } from './sheets-script.ts';

export interface SectionData extends FileData {
  readonly firstPage: number;
  readonly pages: number;
}

/**
 * Runs in the browser of a reader: turns pages without a reload, which keeps the focus, and reports the
 * visible page. Sent as source, so it must not reference anything outside itself.
 */
export function runReader({ sheets, show: showMedia, createNotice }: Previews): void {
  const REPORT_INTERVAL_MS = 4_000;
  const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
  const [reader, stage, sheet, message] = ['reader', 'stage', 'sheet', 'message'].map((id) => byId(id));
  if (!reader || !stage || !sheet || !message) return;
  const jump = byId<HTMLInputElement>('jump');
  const zoom = byId<HTMLSelectElement>('zoom');
  /** The files of a room; missing for a single document. */
  const contents = document.getElementById('contents');
  const sections: SectionData[] = JSON.parse(reader.dataset['chapters'] ?? '[]');
  const files = new Map<string, Promise<OpenFile>>();
  const wide = window.matchMedia('(min-width: 60rem)').matches;
  let page = Number(reader.dataset['page']);
  let lastPage = Number(reader.dataset['pages']);
  let sending: Promise<unknown> = Promise.resolve();
  let fit: string = wide ? 'page' : 'width';
  let hasEnded = false;

  const getReportUrl = () => `/v/${encodeURIComponent(reader.dataset['visit'] ?? '')}/time`;

  /** Reports are sent in order: a late one must not overwrite a newer one. */
  function report(): void {
    if (document.visibilityState !== 'visible') return;
    const body = new URLSearchParams({ page: String(page) });
    sending = sending
      .then(() => fetch(getReportUrl(), { method: 'POST', body, keepalive: true }))
      .then(({ status }) => (status === 404 || status === 410 ? endVisit() : undefined))
      .catch(() => null);
  }

  /** The link has expired or was deleted. */
  function endVisit(): void {
    clearInterval(reporting);
    const section = findSection(page);
    if (section) showError(section, 'This link has expired or was deleted.');
    hasEnded = true;
    byId('download')?.remove();
  }

  /** Uses a beacon, which outlives the page. */
  function reportAway(): void {
    navigator.sendBeacon(getReportUrl(), new URLSearchParams({ away: '1' }));
  }

  const findSection = (number: number) => sections.findLast(({ firstPage }) => firstPage <= number);

  function openFile(section: SectionData): Promise<OpenFile> {
    const found = files.get(section.url) ?? sheets.open(section);
    files.set(section.url, found);
    // The next page tries again.
    found.catch(() => files.delete(section.url));
    return found;
  }

  /** Reads the page count from the file, if there is only one. */
  async function loadPageCount(): Promise<void> {
    const [singleSection] = sections;
    if (singleSection?.contentType !== 'application/pdf' || sections.length > 1) return;
    lastPage = (await openFile(singleSection)).pages;
    reader?.setAttribute('data-pages', String(lastPage));
    byId('last').textContent = String(lastPage);
    if (page > lastPage) page = lastPage;
    updatePosition();
  }

  function scaleFor(size: { width: number; height: number }): number {
    const box = stage?.getBoundingClientRect();
    const style = getComputedStyle(stage as Element);
    const getPadding = (from: 'Left' | 'Top', to: 'Right' | 'Bottom') =>
      Number.parseFloat(style[`padding${from}`]) + Number.parseFloat(style[`padding${to}`]);
    const byWidth = ((box?.width ?? 800) - getPadding('Left', 'Right') - 2) / size.width;
    const byHeight = ((box?.height ?? 600) - getPadding('Top', 'Bottom') - 2) / size.height;
    if (fit === 'width') return Math.min(byWidth, 8);
    return fit === 'page' ? Math.min(byWidth, byHeight, 8) : Number(fit);
  }

  async function show(): Promise<void> {
    const number = page;
    const section = findSection(number);
    if (!section || !sheet || hasEnded) return;
    try {
      if (section.contentType !== 'application/pdf') {
        sheets.clear(sheet);
        await showMedia(section, sheet);
      } else if (!(await paintPage(section, sheet))) return;
      if (page !== number || hasEnded) return;
      sheet.setAttribute('data-shown', String(number));
      message?.setAttribute('hidden', '');
      sheet.removeAttribute('hidden');
      zoom.value = fit;
    } catch (error) {
      if (page === number) showError(section, error);
    }
  }

  async function paintPage(section: SectionData, container: HTMLElement): Promise<boolean> {
    const number = page;
    const file = await openFile(section);
    const pageInFile = number - section.firstPage + 1;
    const size = await file.getPageSize(pageInFile);
    if (page !== number) return false;
    container.classList.remove('media');
    const goTo = (target: number) => turnTo(section.firstPage + target - 1);
    return file.paint({ number: pageInFile, container, scale: scaleFor(size), goTo });
  }

  function showError(section: SectionData, error: unknown): void {
    message?.replaceChildren(createNotice(error, section));
    message?.removeAttribute('hidden');
    sheet?.setAttribute('hidden', '');
  }

  function announce(text: string): void {
    byId('announce').textContent = text;
  }

  function updatePosition(): void {
    jump.value = String(page);
    for (const [id, to] of [
      ['prev', page - 1],
      ['next', page + 1],
    ] as const) {
      const link = byId(id);
      const isValid = to >= 1 && to <= lastPage;
      if (isValid) link.setAttribute('href', `${location.pathname}?page=${to}`);
      else link.removeAttribute('href');
      link.toggleAttribute('aria-disabled', !isValid);
      if (!isValid) link.setAttribute('aria-disabled', 'true');
    }
    // "Next" is disabled on the last page, so the focus moves to "previous".
    if (document.activeElement?.getAttribute('aria-disabled') === 'true')
      document.querySelector<HTMLElement>('.pager a[href]')?.focus();
    const section = findSection(page);
    const inFile = sections.length > 1 ? `, ${section?.title}` : '';
    sheet?.setAttribute('aria-label', `Page ${page} of ${lastPage}${inFile}`);
    if (sections.length > 1) byId('file').textContent = `${section?.title} (${section?.fileName})`;
    document.getElementById('download')?.setAttribute('href', `${section?.url}&download=1`);
  }

  function turnTo(number: number, remember = true): void {
    const to = Math.min(Math.max(1, Math.floor(number) || 1), lastPage);
    jump.value = String(to);
    if (to === page) return;
    page = to;
    if (remember) history.pushState(null, '', `${location.pathname}?page=${page}`);
    updatePosition();
    announce(`Page ${page} of ${lastPage}`);
    stage?.scrollTo({ top: 0, left: 0 });
    report();
    void show();
  }

  function toggleContents(open: boolean): void {
    contents?.toggleAttribute('hidden', !open);
    document.getElementById('show-contents')?.setAttribute('aria-expanded', String(open));
    void show();
  }

  /** Returns true if the page can still scroll in this direction. */
  function canScroll(axis: 'Left' | 'Top', direction: number): boolean {
    const [length, shown] =
      axis === 'Left' ? (['scrollWidth', 'clientWidth'] as const) : (['scrollHeight', 'clientHeight'] as const);
    const at = stage?.[`scroll${axis}`] ?? 0;
    const maxOffset = (stage?.[length] ?? 0) - (stage?.[shown] ?? 0);
    return direction > 0 ? at < maxOffset - 1 : at > 1;
  }

  function listenToKeys(): void {
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as Element).closest('input, select, textarea')) return;
      const keyActions: Record<string, (() => void) | undefined> = {
        ArrowRight: canScroll('Left', 1) ? undefined : () => turnTo(page + 1),
        ArrowLeft: canScroll('Left', -1) ? undefined : () => turnTo(page - 1),
        PageDown: canScroll('Top', 1) ? undefined : () => turnTo(page + 1),
        PageUp: canScroll('Top', -1) ? undefined : () => turnTo(page - 1),
        Home: () => turnTo(1),
        End: () => turnTo(lastPage),
      };
      const run = keyActions[event.key];
      // Keys scroll the page wherever the focus is.
      if (event.key.startsWith('Page') && !run) stage?.focus();
      if (!run) return;
      event.preventDefault();
      run();
    });
  }

  document.addEventListener('click', (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const target = (event.target as Element).closest<HTMLElement>('#prev[href], #next[href], [data-turn]');
    if (!target) return;
    event.preventDefault();
    if (target.dataset['turn'] && !wide) toggleContents(false);
    turnTo(Number(target.dataset['turn'] ?? (target.id === 'next' ? page + 1 : page - 1)));
  });
  jump.addEventListener('change', () => turnTo(Number(jump.value)));
  jump.addEventListener('focus', () => jump.select());
  zoom.addEventListener('change', () => {
    fit = zoom.value;
    void show();
  });
  document.getElementById('show-contents')?.addEventListener('click', () => toggleContents(contents?.hidden === true));
  listenToKeys();
  let resizing: ReturnType<typeof setTimeout> | undefined;
  new ResizeObserver(() => {
    clearTimeout(resizing);
    resizing = setTimeout(() => void show(), 120);
  }).observe(stage);
  const getPageFromUrl = () => Number(new URLSearchParams(location.search).get('page')) || 1;
  window.addEventListener('popstate', () => turnTo(getPageFromUrl(), false));
  document.addEventListener('visibilitychange', () => (document.hidden ? reportAway() : report()));
  window.addEventListener('pagehide', reportAway);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) report();
  });
  const reporting = setInterval(report, REPORT_INTERVAL_MS);
  if (document.hidden) reportAway();
  report();
  loadPageCount()
    .catch(() => null)
    .finally(() => {
      void show();
      if (wide && contents) toggleContents(true);
    });
}
