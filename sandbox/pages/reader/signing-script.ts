import type { OpenFile, SheetRenderer } from './sheets-script.ts';

/**
 * Runs in the browser of a signer: shows all pages and records in the form whether the document was
 * displayed. Sent as source, so it must not reference anything outside itself.
 */
export function runSigning(sheets: SheetRenderer): void {
  const list = document.getElementById('sheets');
  if (!list) return;
  const { url = '', size = '0', title = 'the document' } = list.dataset;
  const form = document.getElementById('sign');
  const unseenBox = document.getElementById('unseen');
  const seenField = form?.querySelector<HTMLInputElement>('[name=seen]');
  const visibility = new Map<HTMLElement, boolean>();

  /** The signer confirms having read the document only if it could not be displayed. */
  function setReadState(state: 'opening' | 'seen' | 'unseen'): void {
    const tick = unseenBox?.querySelector('input');
    unseenBox?.toggleAttribute('hidden', state !== 'unseen');
    tick?.toggleAttribute('required', state === 'unseen');
    if (seenField) seenField.value = state === 'seen' ? '1' : '';
  }

  function showError(error: unknown): void {
    const errorText = document.createElement('p');
    errorText.setAttribute('role', 'alert');
    errorText.textContent = `No preview available: ${sheets.explainError(error)}.`;
    const hint = document.createElement('p');
    hint.textContent = 'Download it and read it before you sign, or ask the sender for another copy.';
    const box = document.createElement('div');
    box.className = 'sheet empty';
    box.append(errorText, hint);
    list?.replaceChildren(box);
    setReadState('unseen');
  }

  async function paint(file: OpenFile, container: HTMLElement): Promise<void> {
    const number = Number(container.dataset['page']);
    const { width } = await file.getPageSize(number);
    const maxWidth = list?.clientWidth ?? width;
    await file.paint({ number, container, scale: Math.min(maxWidth / width, 2), text: true });
  }

  async function open(): Promise<void> {
    const file = await sheets.open({ url, size: Number(size) });
    const first = await file.getPageSize(1);
    const maxWidth = list?.clientWidth ?? first.width;
    const scale = Math.min(maxWidth / first.width, 2);
    const containers = Array.from({ length: file.pages }, (_, index) => {
      const container = document.createElement('div');
      container.className = 'sheet';
      container.dataset['page'] = String(index + 1);
      container.setAttribute('role', 'group');
      container.setAttribute('aria-label', `Page ${index + 1} of ${file.pages} of ${title}`);
      container.style.width = `${first.width * scale}px`;
      container.style.height = `${first.height * scale}px`;
      return container;
    });
    list?.replaceChildren(...containers);
    await paint(file, containers[0] as HTMLElement);
    setReadState('seen');
    // Frees the canvases of pages far from the viewport.
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const container = target as HTMLElement;
          const wasVisible = visibility.get(container) ?? false;
          visibility.set(container, isIntersecting);
          if (isIntersecting && !wasVisible) paint(file, container).catch(showError);
          else if (!isIntersecting && wasVisible) container.replaceChildren();
        }
      },
      { rootMargin: '1500px' },
    );
    for (const container of containers) watcher.observe(container);
    let width = list?.clientWidth;
    window.addEventListener('resize', () => {
      if (list?.clientWidth === width) return;
      width = list?.clientWidth;
      for (const [container, isShown] of visibility) if (isShown) paint(file, container).catch(showError);
    });
  }

  setReadState('opening');
  open().catch(showError);
}
