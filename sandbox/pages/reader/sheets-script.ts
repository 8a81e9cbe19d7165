import type { Connection } from './connection-script.ts';

type Pdfjs = typeof import('pdfjs-dist');

interface PdfSource {
  readonly url: string;
  readonly size: number;
}

export interface OpenFile {
  readonly pages: number;
  /** In CSS pixels at 100 %. */
  getPageSize(number: number): Promise<{ width: number; height: number }>;
  /**
   * Paints a page with its text and links into its container; a second call for the same container cancels the first.
   * Resolves to false if cancelled.
   */
  paint(input: {
    number: number;
    container: HTMLElement;
    scale: number;
    maxPixels?: number;
    goTo: (page: number) => void;
  }): Promise<boolean>;
}

export interface SheetRenderer {
  open(source: PdfSource): Promise<OpenFile>;
  /** Cancels the painting of a page and frees its canvas. */
  clear(container: HTMLElement): void;
  /** Returns a message for the reader. */
  explainError(error: unknown): string;
}

/**
 * Runs in the browser: opens PDFs with pdf.js by range requests and paints pages with selectable text. Sent
 * as source, so it must not reference anything outside itself.
 */
export function createSheetRenderer(input: {
  load: () => Promise<Pdfjs>;
  base: string;
  connection: Connection;
}): SheetRenderer {
  const { connection } = input;
  /** The canvas limit of phones. */
  const MAX_PIXELS = 16_000_000;
  const MAX_SIDE_PIXELS = 8_192;
  const CHUNK_BYTES = 64 * 1024;
  /** Smaller files are loaded in one request. */
  const MAX_WHOLE_FILE_BYTES = 1024 * 1024;
  const PIXELS_PER_POINT = 96 / 72;
  const activePaints = new WeakMap<HTMLElement, () => void>();
  let loading: Promise<Pdfjs> | undefined;

  /** Fetched first, which shows the progress and survives a lost connection; the browser then has both in its cache. */
  async function loadPdfjs(): Promise<Pdfjs> {
    const [main, worker] = ['pdf', 'pdf.worker'].map((name) => `${input.base}legacy/build/${name}.min.mjs`);
    await Promise.all([connection.fetchBytes(main ?? ''), connection.fetchBytes(worker ?? '')]);
    const pdfjs = await input.load().catch(() => {
      throw connection.createError('This browser is too old to display PDFs.');
    });
    pdfjs.GlobalWorkerOptions.workerPort = new Worker(worker ?? '', { type: 'module' });
    return pdfjs;
  }

  async function open({ url, size }: PdfSource): Promise<OpenFile> {
    if (size === 0) throw connection.createError('This file is empty.');
    loading ??= loadPdfjs();
    loading.catch(() => {
      loading = undefined;
    });
    // Starts everything needed at once: the code, and both ends of the file.
    const isWhole = size <= MAX_WHOLE_FILE_BYTES;
    const tailStart = isWhole ? size : Math.floor((size - 1) / CHUNK_BYTES) * CHUNK_BYTES;
    const [pdfjs, first, tail] = await Promise.all([
      loading,
      connection.fetchBytes(url, { start: 0, end: isWhole ? size : CHUNK_BYTES }),
      isWhole ? null : connection.fetchBytes(url, { start: tailStart, end: size }),
    ]);
    const failure = Promise.withResolvers<never>();
    failure.promise.catch(() => null);
    const range = new pdfjs.PDFDataRangeTransport(size, first);
    range.requestDataRange = (start, end) => {
      const bytes =
        tail && start >= tailStart
          ? Promise.resolve(tail.slice(start - tailStart))
          : connection.fetchBytes(url, { start, end });
      bytes.then((chunk) => range.onDataRange(start, chunk), failure.reject);
    };
    const task = pdfjs.getDocument({
      ...(first.length === size ? { data: first } : { range }),
      rangeChunkSize: CHUNK_BYTES,
      disableStream: true,
      disableAutoFetch: true,
      disableWorkerRendering: true,
      // Uses the bundled standard fonts, which look the same on every machine.
      useSystemFonts: false,
      verbosity: 0,
      cMapUrl: `${input.base}cmaps/`,
      iccUrl: `${input.base}iccs/`,
      standardFontDataUrl: `${input.base}standard_fonts/`,
      wasmUrl: `${input.base}wasm/`,
    });
    const pdf = await Promise.race([task.promise, failure.promise]);
    if (pdf.numPages < 1) throw connection.createError('This file has no pages.');
    const openPage = (number: number) => Promise.race([pdf.getPage(number), failure.promise]);

    /** Returns the page that a link points to, or undefined if its target is missing. */
    async function findTarget(dest: unknown): Promise<number | undefined> {
      const found = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
      const [target] = Array.isArray(found) ? found : [];
      const index = typeof target === 'object' && target ? await pdf.getPageIndex(target) : target;
      return Number.isInteger(index) ? index + 1 : undefined;
    }

    function createLink(annotation: Record<string, unknown>, goTo: (page: number) => void): HTMLAnchorElement | null {
      const { url: href, dest } = annotation;
      const link = document.createElement('a');
      link.className = 'pdf-link';
      if (typeof href === 'string') {
        Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer', ariaLabel: href });
        return link;
      }
      if (!dest) return null;
      Object.assign(link, { href: '#', ariaLabel: 'Go to another page of this document' });
      link.addEventListener('click', (event) => {
        event.preventDefault();
        // A link without a target does nothing.
        findTarget(dest)
          .then((page) => page && goTo(page))
          .catch(() => null);
      });
      return link;
    }

    return {
      pages: pdf.numPages,
      async getPageSize(number) {
        const { width, height } = (await openPage(number)).getViewport({ scale: PIXELS_PER_POINT });
        return { width, height };
      },
      async paint({ number, container, scale, maxPixels = MAX_PIXELS, goTo }) {
        activePaints.get(container)?.();
        let ended = false;
        activePaints.set(container, () => {
          ended = true;
        });
        const page = await openPage(number);
        if (ended) return false;
        const viewport = page.getViewport({ scale: scale * PIXELS_PER_POINT });
        const { width, height } = viewport;
        const density = Math.min(
          window.devicePixelRatio || 1,
          Math.sqrt(maxPixels / (width * height)),
          MAX_SIDE_PIXELS / Math.max(width, height),
        );
        const canvas = document.createElement('canvas');
        canvas.width = Math.max(1, Math.round(width * density));
        canvas.height = Math.max(1, Math.round(height * density));
        canvas.setAttribute('aria-hidden', 'true');
        const drawing = page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] });
        const textElement = document.createElement('div');
        textElement.className = 'textLayer';
        const textContentSource = page.streamTextContent();
        const layer = new pdfjs.TextLayer({ textContentSource, container: textElement, viewport });
        activePaints.set(container, () => {
          ended = true;
          drawing.cancel();
          layer.cancel();
        });
        const links: HTMLElement[] = [];
        const addLinks = async () => {
          for (const annotation of await page.getAnnotations()) {
            const link = annotation.subtype === 'Link' && createLink(annotation, goTo);
            if (!link) continue;
            const [left, bottom, right, top] = annotation.rect;
            const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(left, bottom);
            const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(right, top);
            link.style.left = `${Math.min(x1, x2)}px`;
            link.style.top = `${Math.min(y1, y2)}px`;
            link.style.width = `${Math.abs(x2 - x1)}px`;
            link.style.height = `${Math.abs(y2 - y1)}px`;
            links.push(link);
          }
        };
        try {
          // A page is shown even if its text or links can't be read.
          const extras = [layer.render(), addLinks()].map((extra) => extra.catch(() => null));
          await Promise.race([Promise.all([drawing.promise, ...extras]), failure.promise]);
        } catch (error) {
          if (ended) return false;
          throw error;
        }
        if (ended) return false;
        container.style.setProperty('--total-scale-factor', String(viewport.scale));
        container.style.width = `${width}px`;
        container.style.height = `${height}px`;
        container.replaceChildren(canvas, textElement, ...links);
        page.cleanup();
        return true;
      },
    };
  }

  function explainError(error: unknown): string {
    const { name = '' } = error instanceof Error ? error : {};
    if (name === 'PasswordException') return 'This file is password-protected.';
    if (name === 'InvalidPDFException') return 'This file is damaged or not a PDF.';
    return connection.getMessage(error) ?? 'This page can’t be displayed.';
  }

  function clear(container: HTMLElement): void {
    activePaints.get(container)?.();
    // Some browsers free a canvas only when it is empty.
    for (const canvas of container.querySelectorAll('canvas')) canvas.width = 0;
    container.replaceChildren();
  }

  return { open, clear, explainError };
}
