/** The part of pdf.js that the pages use. */
type Pdfjs = typeof import('pdfjs-dist');

/** Where a file's bytes are, and how many. */
export interface FileSource {
  readonly url: string;
  readonly size: number;
}

export interface OpenFile {
  readonly pages: number;
  /** In CSS pixels at 100 %. */
  measure(number: number): Promise<{ width: number; height: number }>;
  /**
   * Paints a page into its holder, over what was there; a second call for the same holder ends the first one.
   * False: it was ended before it was done.
   */
  paint(input: { number: number; holder: HTMLElement; scale: number; text: boolean }): Promise<boolean>;
}

export interface Sheets {
  open(source: FileSource): Promise<OpenFile>;
  /** Why a file can't be shown, for the person who wanted to read it. */
  explain(error: unknown): string;
}

/**
 * Runs in the browser: opens PDFs with pdf.js, of which it fetches ranges only, and paints their pages with text that can
 * be selected. Sent as its own source: it must use nothing from outside itself.
 */
export function createSheets(input: { load: () => Promise<Pdfjs>; base: string }): Sheets {
  /** Phones give a canvas no more than this. */
  const MAX_PIXELS = 16_000_000;
  const MAX_SIDE_PIXELS = 8_192;
  const CHUNK_BYTES = 64 * 1024;
  /** A small file comes whole, in one range. */
  const WHOLE_BYTES = 1024 * 1024;
  const PIXELS_PER_POINT = 96 / 72;
  let worker: Worker | undefined;
  const running = new WeakMap<HTMLElement, () => void>();

  class Unshown extends Error {}

  async function readRange(url: string, begin: number, end: number): Promise<Uint8Array> {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(url, { headers: { range: `bytes=${begin}-${end - 1}` } }).catch(() => null);
      if (answer?.status === 206) return new Uint8Array(await answer.arrayBuffer());
      const says = answer?.headers.get('content-type')?.startsWith('text/plain') ? await answer.text() : '';
      if (answer && answer.status < 500) throw new Unshown(says || 'the link to it has ended');
      if (attempt === 3) throw new Unshown('it could not be fetched');
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }

  async function open({ url, size }: FileSource): Promise<OpenFile> {
    if (size === 0) throw new Unshown('it is empty');
    // All that is certain to be needed sets out at once: the code, its worker, and both ends of the file.
    worker ??= new Worker(`${input.base}legacy/build/pdf.worker.min.mjs`, { type: 'module' });
    const isWhole = size <= WHOLE_BYTES;
    const tailAt = isWhole ? size : Math.floor((size - 1) / CHUNK_BYTES) * CHUNK_BYTES;
    const [pdfjs, first, tail] = await Promise.all([
      input.load().catch(() => {
        throw new Unshown('this browser is too old for it');
      }),
      readRange(url, 0, isWhole ? size : CHUNK_BYTES),
      isWhole ? null : readRange(url, tailAt, size),
    ]);
    pdfjs.GlobalWorkerOptions.workerPort = worker;
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => null);
    const range = new pdfjs.PDFDataRangeTransport(size, first);
    range.requestDataRange = (begin, end) => {
      const bytes =
        tail && begin >= tailAt ? Promise.resolve(tail.slice(begin - tailAt)) : readRange(url, begin, end);
      bytes.then((chunk) => range.onDataRange(begin, chunk), broken.reject);
    };
    const task = pdfjs.getDocument({
      ...(first.length === size ? { data: first } : { range }),
      rangeChunkSize: CHUNK_BYTES,
      disableStream: true,
      disableAutoFetch: true,
      disableWorkerRendering: true,
      // A standard font looks the same on every machine: the one that comes along.
      useSystemFonts: false,
      verbosity: 0,
      cMapUrl: `${input.base}cmaps/`,
      iccUrl: `${input.base}iccs/`,
      standardFontDataUrl: `${input.base}standard_fonts/`,
      wasmUrl: `${input.base}wasm/`,
    });
    const pdf = await Promise.race([task.promise, broken.promise]);
    if (pdf.numPages < 1) throw new Unshown('it has no pages');
    const openPage = (number: number) => Promise.race([pdf.getPage(number), broken.promise]);

    return {
      pages: pdf.numPages,
      async measure(number) {
        const { width, height } = (await openPage(number)).getViewport({ scale: PIXELS_PER_POINT });
        return { width, height };
      },
      async paint({ number, holder, scale, text }) {
        running.get(holder)?.();
        let ended = false;
        running.set(holder, () => {
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
        const words = document.createElement('div');
        words.className = 'textLayer';
        const layer = text
          ? new pdfjs.TextLayer({ textContentSource: page.streamTextContent(), container: words, viewport })
          : null;
        running.set(holder, () => {
          ended = true;
          drawing.cancel();
          layer?.cancel();
        });
        try {
          // A page whose text can't be read is still shown.
          const written = layer?.render().catch(() => null);
          await Promise.race([Promise.all([drawing.promise, written]), broken.promise]);
        } catch (error) {
          if (ended) return false;
          throw error;
        }
        if (ended) return false;
        holder.style.setProperty('--total-scale-factor', String(viewport.scale));
        holder.style.width = `${width}px`;
        holder.style.height = `${height}px`;
        holder.replaceChildren(...(layer ? [canvas, words] : [canvas]));
        page.cleanup();
        return true;
      },
    };
  }

  function explain(error: unknown): string {
    const { name = '', message = '' } = error instanceof Error ? error : {};
    if (error instanceof Unshown) return message;
    if (name === 'PasswordException')
      return 'it is locked with a password, which only its sender can tell you';
    if (name === 'InvalidPDFException') return 'it is damaged, or no PDF';
    return 'it could not be read';
  }

  return { open, explain };
}
