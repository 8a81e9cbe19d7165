import type { OpenFile, Sheets } from './sheets-script.ts';

/**
 * Runs in the browser of someone who signs: shows all pages, one below the other, and notes in the form whether the
 * document was shown. Sent as its own source: it must use nothing from outside itself.
 */
export function runSigning(sheets: Sheets): void {
  const list = document.getElementById('sheets');
  if (!list) return;
  const { url = '', size = '0', title = 'the document' } = list.dataset;
  const form = document.getElementById('sign');
  const unseen = document.getElementById('unseen');
  const seen = form?.querySelector<HTMLInputElement>('[name=seen]');
  const shown = new Map<HTMLElement, boolean>();

  /** Until it is known the signer is asked nothing; a document that was not shown needs a word of theirs. */
  function settle(state: 'opening' | 'seen' | 'unseen'): void {
    const tick = unseen?.querySelector('input');
    unseen?.toggleAttribute('hidden', state !== 'unseen');
    tick?.toggleAttribute('required', state === 'unseen');
    if (seen) seen.value = state === 'seen' ? '1' : '';
  }

  function refuse(error: unknown): void {
    const sentence = document.createElement('p');
    sentence.setAttribute('role', 'alert');
    sentence.textContent = `This file can't be shown here: ${sheets.explain(error)}.`;
    const way = document.createElement('p');
    way.textContent =
      'Download it and read it before you sign, or ask the person who sent it for another copy.';
    const box = document.createElement('div');
    box.className = 'sheet empty';
    box.append(sentence, way);
    list?.replaceChildren(box);
    settle('unseen');
  }

  async function paint(file: OpenFile, holder: HTMLElement): Promise<void> {
    const number = Number(holder.dataset['page']);
    const { width } = await file.measure(number);
    const most = list?.clientWidth ?? width;
    await file.paint({ number, holder, scale: Math.min(most / width, 2), text: true });
  }

  async function open(): Promise<void> {
    const file = await sheets.open({ url, size: Number(size) });
    const first = await file.measure(1);
    const most = list?.clientWidth ?? first.width;
    const scale = Math.min(most / first.width, 2);
    const holders = Array.from({ length: file.pages }, (_, index) => {
      const holder = document.createElement('div');
      holder.className = 'sheet';
      holder.dataset['page'] = String(index + 1);
      holder.setAttribute('role', 'group');
      holder.setAttribute('aria-label', `Page ${index + 1} of ${file.pages} of ${title}`);
      holder.style.width = `${first.width * scale}px`;
      holder.style.height = `${first.height * scale}px`;
      return holder;
    });
    list?.replaceChildren(...holders);
    await paint(file, holders[0] as HTMLElement);
    settle('seen');
    // Pages far from what is looked at let go of their pictures.
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const holder = target as HTMLElement;
          const was = shown.get(holder) ?? false;
          shown.set(holder, isIntersecting);
          if (isIntersecting && !was) paint(file, holder).catch(refuse);
          else if (!isIntersecting && was) holder.replaceChildren();
        }
      },
      { rootMargin: '1500px' },
    );
    for (const holder of holders) watcher.observe(holder);
    let width = list?.clientWidth;
    window.addEventListener('resize', () => {
      if (list?.clientWidth === width) return;
      width = list?.clientWidth;
      for (const [holder, isShown] of shown) if (isShown) paint(file, holder).catch(refuse);
    });
  }

  settle('opening');
  open().catch(refuse);
}
