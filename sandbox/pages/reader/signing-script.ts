import type { FileData, Previews } from './previews-script.ts';
import type { OpenFile } from './sheets-script.ts';

/**
 * Runs in the browser of a signer: shows the whole document, and records in the form whether all of it was
 * displayed. Sent as source, so it must not reference anything outside itself.
 */
export function runSigning({ sheets, show, createNotice }: Previews): void {
  /** With at most a few pages around the visible ones, canvases stay below 80 MB. */
  const MARGIN = '600px';
  const MAX_PAGE_PIXELS = 4_000_000;
  const list = document.getElementById('sheets');
  if (!list) return;
  const file: FileData = JSON.parse(list.dataset['file'] ?? '{}');
  const form = document.getElementById('sign') as HTMLFormElement | null;
  const unseenBox = document.getElementById('unseen');
  const seenField = form?.querySelector<HTMLInputElement>('[name=seen]');
  const waitingText = form?.querySelector<HTMLElement>('[role=status]');
  const near = new Set<HTMLElement>();
  const unread = new Set<HTMLElement>();
  let isOpening = true;
  let submitter: HTMLElement | null = null;

  /** The signer confirms having read what this page did not display. */
  function updateReadState(): void {
    const isSeen = !isOpening && unread.size === 0;
    const tick = unseenBox?.querySelector('input');
    unseenBox?.toggleAttribute('hidden', isOpening || isSeen);
    tick?.toggleAttribute('required', !isOpening && !isSeen);
    if (seenField) seenField.value = isSeen ? '1' : '';
  }

  function endOpening(): void {
    isOpening = false;
    updateReadState();
    waitingText?.replaceChildren();
    // Completes a submission that came while the document was opening.
    if (submitter) form?.requestSubmit(submitter);
  }

  function showError(error: unknown, container: HTMLElement): void {
    unread.add(container);
    container.removeAttribute('style');
    container.classList.add('empty');
    container.replaceChildren(createNotice(error, file));
    updateReadState();
  }

  async function paint(open: OpenFile, container: HTMLElement): Promise<void> {
    const number = Number(container.dataset['page']);
    try {
      const { width } = await open.getPageSize(number);
      const scale = Math.min((list?.clientWidth ?? width) / width, 2);
      if (near.has(container)) await open.paint({ number, container, scale, maxPixels: MAX_PAGE_PIXELS, goTo });
    } catch (error) {
      if (near.has(container)) showError(error, container);
    }
    if (container.childElementCount > 0) visible.observe(container);
  }

  function goTo(number: number): void {
    const target = list?.querySelector<HTMLElement>(`[data-page="${number}"]`);
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
  }

  /** A displayed page counts as read when it has been in view. */
  const visible = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !target.querySelector('canvas')) continue;
      visible.unobserve(target);
      unread.delete(target as HTMLElement);
    }
    updateReadState();
  });

  async function openPdf(): Promise<void> {
    const open = await sheets.open(file);
    const first = await open.getPageSize(1);
    const scale = Math.min((list?.clientWidth ?? first.width) / first.width, 2);
    const containers = Array.from({ length: open.pages }, (_, index) => {
      const container = document.createElement('div');
      container.className = 'sheet';
      container.dataset['page'] = String(index + 1);
      container.tabIndex = -1;
      container.setAttribute('role', 'group');
      container.setAttribute('aria-label', `Page ${index + 1} of ${open.pages} of ${file.title}`);
      container.style.width = `${first.width * scale}px`;
      container.style.height = `${first.height * scale}px`;
      unread.add(container);
      return container;
    });
    list?.replaceChildren(...containers);
    const firstPaints = Promise.withResolvers<void>();
    const watcher = new IntersectionObserver(
      (entries) => {
        const paints: Promise<void>[] = [];
        for (const { target, isIntersecting } of entries) {
          const container = target as HTMLElement;
          if (isIntersecting === near.has(container)) continue;
          if (isIntersecting) near.add(container);
          else near.delete(container);
          if (isIntersecting) paints.push(paint(open, container));
          else sheets.clear(container);
        }
        void Promise.all(paints).then(() => firstPaints.resolve());
      },
      { rootMargin: MARGIN },
    );
    for (const container of containers) watcher.observe(container);
    let width = list?.clientWidth;
    window.addEventListener('resize', () => {
      if (list?.clientWidth === width) return;
      width = list?.clientWidth;
      for (const container of near) void paint(open, container);
    });
    await firstPaints.promise;
    // The pages in view are counted as read in the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }

  async function openFile(): Promise<void> {
    const [box] = list?.children ?? [];
    const container = box as HTMLElement;
    try {
      if (file.contentType === 'application/pdf') await openPdf();
      else await show(file, container);
    } catch (error) {
      showError(error, container);
    }
    endOpening();
  }

  form?.addEventListener('submit', (event) => {
    if (!isOpening) return;
    event.preventDefault();
    submitter = event.submitter;
    waitingText?.replaceChildren('Waiting for the document to open…');
  });
  updateReadState();
  void openFile();
}
