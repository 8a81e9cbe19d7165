type Pdfjs = typeof import('pdfjs-dist');

export interface PdfSource {
  readonly url: string;
  readonly size: number;
}

export interface OpenFile {
  readonly pages: number;
  /** In CSS pixels at 100 %. */
  getPageSize(number: number): Promise<{ width: number; height: number }>;
  /**
   * Paints a page into its container; a second call for the same container cancels the first. Resolves to
   * false if cancelled.
   */
  paint(input: { number: number; container: HTMLElement; scale: number; text: boolean }): Promise<boolean>;
}

export interface SheetRenderer {
  open(source: PdfSource): Promise<OpenFile>;
  /** Returns a message for the reader. */
  explainError(error: unknown): string;
}

/**
 * Runs in the browser: opens PDFs with pdf.js by range requests and paints pages with selectable text. Sent
 * as source, so it must not reference anything outside itself.
 */
export function createSheetRenderer(input: { load: () => Promise<Pdfjs>; base: string }): SheetRenderer {
  /** The canvas limit of phones. */
  const MAX_PIXELS = 16_000_000;
  const MAX_SIDE_PIXELS = 8_192;
  const CHUNK_BYTES = 64 * 1024;
  /** Smaller files are loaded in one request. */
  const MAX_WHOLE_FILE_BYTES = 1024 * 1024;
  const PIXELS_PER_POINT = 96 / 72;
  let worker: Worker | undefined;
  const activePaints = new WeakMap<HTMLElement, () => void>();

  class DisplayError extends Error {}

  async function readRange(url: string, start: number, end: number): Promise<Uint8Array> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } }).catch(() => null);
      if (response?.status === 206) return new Uint8Array(await response.arrayBuffer());
      const explanation = response?.headers.get('content-type')?.startsWith('text/plain') ? await response.text() : '';
      if (response && response.status < 500) throw new DisplayError(explanation || 'the link to it has ended');
      if (attempt === 3) throw new DisplayError('it could not be fetched');
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }

  async function open({ url, size }: PdfSource): Promise<OpenFile> {
    if (size === 0) throw new DisplayError('it is empty');
    // Starts everything needed at once: the code, its worker, and both ends of the file.
    worker ??= new Worker(`${input.base}legacy/build/pdf.worker.min.mjs`, { type: 'module' });
    const isWhole = size <= MAX_WHOLE_FILE_BYTES;
    const tailStart = isWhole ? size : Math.floor((size - 1) / CHUNK_BYTES) * CHUNK_BYTES;
    const [pdfjs, first, tail] = await Promise.all([
      input.load().catch(() => {
        throw new DisplayError('this browser is too old for it');
      }),
      readRange(url, 0, isWhole ? size : CHUNK_BYTES),
      isWhole ? null : readRange(url, tailStart, size),
    ]);
    pdfjs.GlobalWorkerOptions.workerPort = worker;
    const failure = Promise.withResolvers<never>();
    failure.promise.catch(() => null);
    const range = new pdfjs.PDFDataRangeTransport(size, first);
    range.requestDataRange = (start, end) => {
      const bytes =
        tail && start >= tailStart ? Promise.resolve(tail.slice(start - tailStart)) : readRange(url, start, end);
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
    if (pdf.numPages < 1) throw new DisplayError('it has no pages');
    const openPage = (number: number) => Promise.race([pdf.getPage(number), failure.promise]);

    return {
      pages: pdf.numPages,
      async getPageSize(number) {
        const { width, height } = (await openPage(number)).getViewport({ scale: PIXELS_PER_POINT });
        return { width, height };
      },
      async paint({ number, container, scale, text }) {
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
          Math.sqrt(MAX_PIXELS / (width * height)),
          MAX_SIDE_PIXELS / Math.max(width, height),
        );
        const canvas = document.createElement('canvas');
        canvas.width = Math.max(1, Math.round(width * density));
        canvas.height = Math.max(1, Math.round(height * density));
        canvas.setAttribute('aria-hidden', 'true');
        const drawing = page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] });
        const textElement = document.createElement('div');
        textElement.className = 'textLayer';
        const layer = text
          ? new pdfjs.TextLayer({ textContentSource: page.streamTextContent(), container: textElement, viewport })
          : null;
        activePaints.set(container, () => {
          ended = true;
          drawing.cancel();
          layer?.cancel();
        });
        try {
          // A page is shown even if its text can't be read.
          const textRendered = layer?.render().catch(() => null);
          await Promise.race([Promise.all([drawing.promise, textRendered]), failure.promise]);
        } catch (error) {
          if (ended) return false;
          throw error;
        }
        if (ended) return false;
        container.style.setProperty('--total-scale-factor', String(viewport.scale));
        container.style.width = `${width}px`;
        container.style.height = `${height}px`;
        container.replaceChildren(...(layer ? [canvas, textElement] : [canvas]));
        page.cleanup();
        return true;
      },
    };
  }

  function explainError(error: unknown): string {
    const { name = '', message = '' } = error instanceof Error ? error : {};
    if (error instanceof DisplayError) return message;
    if (name === 'PasswordException') return 'the file is password-protected. Ask the sender for the password';
    if (name === 'InvalidPDFException') return 'the file is damaged or not a PDF';
    return 'the file could not be read';
  }

  return { open, explainError };
}
