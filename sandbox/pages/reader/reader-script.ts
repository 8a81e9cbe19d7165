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
  const THUMB_PIXELS = 120;
  const SWIPE_PIXELS = 50;
  const SWIPE_MS = 700;
  const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
  const [reader, stage, sheet, message] = ['reader', 'stage', 'sheet', 'message'].map((id) => byId(id));
  if (!reader || !stage || !sheet || !message) return;
  const jump = byId<HTMLInputElement>('jump');
  const zoom = byId<HTMLSelectElement>('zoom');
  const thumbs = byId('thumbs');
  const sections: SectionData[] = JSON.parse(reader.dataset['chapters'] ?? '[]');
  const files = new Map<string, Promise<OpenFile>>();
  const wide = window.matchMedia('(min-width: 60rem)').matches;
  let page = Number(reader.dataset['page']);
  let lastPage = Number(reader.dataset['pages']);
  let sending: Promise<unknown> = Promise.resolve();
  let fit: string = wide ? 'page' : 'width';
  let scale = 1;
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
    scale = scaleFor(size);
    if (page !== number) return false;
    container.classList.remove('media');
    const goTo = (target: number) => turnTo(section.firstPage + target - 1);
    return file.paint({ number: pageInFile, container, scale, goTo });
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
    const previous = thumbs.querySelector<HTMLElement>('ol [aria-current]');
    const current = thumbs.querySelector<HTMLElement>(`ol [data-turn="${page}"]`);
    previous?.removeAttribute('aria-current');
    current?.setAttribute('aria-current', 'page');
    // All thumbnails are one stop of the Tab key; arrow keys move between them.
    if (previous) previous.tabIndex = -1;
    if (current) current.tabIndex = 0;
    if (current && document.activeElement === previous) current.focus();
    if (!thumbs.hidden) current?.scrollIntoView({ block: 'nearest' });
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

  /** Thumbnails are painted one by one when they scroll into view, so that the page itself never waits. */
  function fillThumbs(): void {
    const list = thumbs.querySelector('ol');
    if (!list || list.children.length > 0) return;
    let painting: Promise<unknown> = Promise.resolve();
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue;
          watcher.unobserve(target);
          painting = painting.then(() => paintThumb(target as HTMLElement)).catch(() => null);
        }
      },
      { root: thumbs, rootMargin: '200px' },
    );
    for (let number = 1; number <= lastPage; number++) {
      const button = document.createElement('button');
      button.dataset['turn'] = String(number);
      button.tabIndex = -1;
      button.setAttribute('aria-label', `Page ${number}`);
      const container = document.createElement('span');
      container.className = 'thumb';
      const caption = Object.assign(document.createElement('span'), { textContent: String(number) });
      button.append(container, caption);
      const item = document.createElement('li');
      item.append(button);
      list.append(item);
      watcher.observe(button);
    }
    updatePosition();
  }

  async function paintThumb(button: HTMLElement): Promise<void> {
    const number = Number(button.dataset['turn']);
    const section = findSection(number);
    const container = button.querySelector<HTMLElement>('.thumb');
    if (section?.contentType !== 'application/pdf' || !container) return;
    const file = await openFile(section);
    const pageInFile = number - section.firstPage + 1;
    if (pageInFile > file.pages) return;
    const size = await file.getPageSize(pageInFile);
    const thumbScale = Math.min(THUMB_PIXELS / size.width, (THUMB_PIXELS * 1.5) / size.height);
    await file.paint({ number: pageInFile, container, scale: thumbScale });
  }

  function toggleThumbs(open: boolean): void {
    thumbs.hidden = !open;
    byId('show-thumbs').setAttribute('aria-expanded', String(open));
    if (open) fillThumbs();
    void show();
  }

  function setZoom(to: string): void {
    fit = to;
    if (Number(to) && ![...zoom.options].some(({ value }) => value === to))
      zoom.add(new Option(`${Math.round(Number(to) * 100)} %`, to));
    zoom.value = to;
    void show();
  }

  const ZOOM_STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
  function zoomBy(direction: 1 | -1): void {
    const next =
      direction > 0
        ? ZOOM_STEPS.find((step) => step > scale + 0.01)
        : ZOOM_STEPS.findLast((step) => step < scale - 0.01);
    if (next) setZoom(String(next));
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
      const isInThumbs = thumbs.contains(document.activeElement);
      const keyActions: Record<string, (() => void) | undefined> = {
        ...(isInThumbs ? { ArrowDown: () => turnTo(page + 1), ArrowUp: () => turnTo(page - 1) } : {}),
        ArrowRight: canScroll('Left', 1) ? undefined : () => turnTo(page + 1),
        ArrowLeft: canScroll('Left', -1) ? undefined : () => turnTo(page - 1),
        PageDown: canScroll('Top', 1) ? undefined : () => turnTo(page + 1),
        PageUp: canScroll('Top', -1) ? undefined : () => turnTo(page - 1),
        Home: () => turnTo(1),
        End: () => turnTo(lastPage),
        '+': () => zoomBy(1),
        '-': () => zoomBy(-1),
      };
      const run = keyActions[event.key];
      // Keys scroll the page wherever the focus is.
      if (event.key.startsWith('Page') && !run) stage?.focus();
      if (!run) return;
      event.preventDefault();
      run();
    });
  }

  function listenToSwipes(): void {
    let start: { x: number; y: number; at: number } | null = null;
    stage?.addEventListener(
      'touchstart',
      ({ touches }) => {
        const [touch] = touches;
        start = touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY, at: performance.now() } : null;
      },
      { passive: true },
    );
    stage?.addEventListener('touchend', ({ changedTouches }) => {
      const [touch] = changedTouches;
      if (!start || !touch || performance.now() - start.at > SWIPE_MS) return;
      const [right, down] = [touch.clientX - start.x, touch.clientY - start.y];
      // Pinch zoom and text selection are not page turns.
      if ((window.visualViewport?.scale ?? 1) > 1.01 || getSelection()?.toString()) return;
      if (Math.abs(right) < SWIPE_PIXELS || Math.abs(right) < 2 * Math.abs(down)) return;
      const direction = right < 0 ? 1 : -1;
      if (!canScroll('Left', direction)) turnTo(page + direction);
    });
  }

  document.addEventListener('click', (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const target = (event.target as Element).closest<HTMLElement>('#prev[href], #next[href], [data-turn]');
    if (!target) return;
    event.preventDefault();
    if (target.dataset['turn'] && !wide) toggleThumbs(false);
    turnTo(Number(target.dataset['turn'] ?? (target.id === 'next' ? page + 1 : page - 1)));
  });
  jump.addEventListener('change', () => turnTo(Number(jump.value)));
  jump.addEventListener('focus', () => jump.select());
  zoom.addEventListener('change', () => setZoom(zoom.value));
  byId('zoom-in').addEventListener('click', () => zoomBy(1));
  byId('zoom-out').addEventListener('click', () => zoomBy(-1));
  byId('show-thumbs').addEventListener('click', () => toggleThumbs(thumbs.hidden !== false));
  listenToKeys();
  listenToSwipes();
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
      if (wide && (lastPage > 1 || thumbs.querySelector('.contents'))) toggleThumbs(true);
    });
}
