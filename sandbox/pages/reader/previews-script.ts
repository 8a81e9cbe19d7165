import type { Connection } from './connection-script.ts';
import type { SheetRenderer } from './sheets-script.ts';

/** A file as the pages' scripts know it. */
export interface FileData {
  readonly title: string;
  readonly fileName: string;
  readonly url: string;
  readonly size: number;
  readonly contentType: string;
  readonly canDownload: boolean;
}

export interface Previews {
  readonly sheets: SheetRenderer;
  /** Shows a picture, video, sound or text. Throws if browsers have no preview for the file. */
  show(file: FileData, container: HTMLElement): Promise<void>;
  /** Returns what to show instead of a file, or of a page of it: the reason (an error, or its text), and what to do. */
  createNotice(error: unknown, file: FileData): HTMLElement;
}

/**
 * Runs in the browser: previews files that are not PDFs, and explains what can't be shown. Sent as source, so it
 * must not reference anything outside itself.
 */
export function createPreviews(sheets: SheetRenderer, connection: Connection): Previews {
  const MAX_TEXT_BYTES = 200_000;

  async function show(file: FileData, container: HTMLElement): Promise<void> {
    const { url, size, contentType, title } = file;
    const [kind = ''] = contentType.split('/');
    if (size === 0) throw connection.createError('This file is empty.');
    if (kind === 'text' || contentType === 'application/json') {
      const bytes = await connection.fetchBytes(url, { start: 0, end: Math.min(size, MAX_TEXT_BYTES) });
      const more = size > MAX_TEXT_BYTES ? '\n… (only the beginning is shown)' : '';
      const text = Object.assign(document.createElement('pre'), { tabIndex: 0 });
      text.textContent = new TextDecoder().decode(bytes) + more;
      container.replaceChildren(text);
    } else if (kind === 'image') {
      const source = URL.createObjectURL(new Blob([await connection.fetchBytes(url)], { type: contentType }));
      const image = Object.assign(document.createElement('img'), { alt: title, src: source });
      await image.decode().finally(() => URL.revokeObjectURL(source));
      container.replaceChildren(image);
    } else if (kind === 'video' || kind === 'audio') {
      const player = document.createElement(kind);
      Object.assign(player, { controls: true, preload: 'metadata', ariaLabel: title, src: url });
      container.replaceChildren(player);
    } else throw connection.createError(`No preview for ${getExtension(file)} files`);
    container.removeAttribute('style');
    container.classList.add('media');
  }

  function getExtension({ fileName, contentType }: FileData): string {
    return /\.[A-Za-z0-9]{1,8}$/.exec(fileName)?.[0].toLowerCase() ?? contentType;
  }

  function createNotice(error: unknown, file: FileData): HTMLElement {
    const message = typeof error === 'string' ? error : sheets.explainError(error);
    const [name, reason, hint] = ['strong', 'p', 'p'].map((tag) => document.createElement(tag));
    name?.append(file.title);
    reason?.append(message);
    reason?.setAttribute('role', 'alert');
    if (/deleted|replaced/.test(message)) hint?.append('Ask the sender for a new link.');
    else if (file.canDownload && file.size > 0) {
      const href = `${file.url}&download=1`;
      const link = Object.assign(document.createElement('a'), { href, download: '', textContent: 'Download it' });
      hint?.append(link, ' to open it in another app.');
    } else hint?.append('Ask the sender for another copy.');
    const notice = document.createElement('div');
    notice.className = 'notice';
    for (const part of [name, reason, hint]) notice.append(part ?? '');
    return notice;
  }

  return { sheets, show, createNotice };
}
