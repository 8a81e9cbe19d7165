import type { Context } from 'hono';
import type { PDFDocument } from 'pdf-lib';
import type { PageImage } from '../pdf/paint-page.ts';
import type { Service } from '../service.ts';
import type { PageSize, Version } from '../state/records.ts';
import { readContent } from '../storage/content.ts';

/** A larger file is not loaded for pictures: its pages are shown as blank sheets of their size. */
const LOAD_LIMIT_BYTES = 24 * 1024 * 1024;
/** Loaded files and painted pages that are kept, so that turning a page costs nothing twice. */
const KEPT_FILES = 3;
const KEPT_IMAGES = 60;

const A4: PageSize = { width: 595, height: 842 };

/** Pictures of the pages of stored PDFs. */
export interface PageImages {
  /** How many pages the file has now; 0 where it is no PDF that can be read. */
  count(version: Version): Promise<number>;
  /** Page `number` (from 1); a blank sheet where it can't be painted. */
  image(version: Version, number: number): Promise<PageImage>;
}

export function createPageImages(service: Service): PageImages {
  const files = new Map<string, Promise<PDFDocument | null>>();
  const images = new Map<string, PageImage>();

  async function load(version: Version): Promise<PDFDocument | null> {
    if (version.content_type !== 'application/pdf' && version.pages.length === 0) return null;
    if (version.size > LOAD_LIMIT_BYTES) return null;
    // Loaded with the first page that someone reads: it costs more than the rest of the start together.
    const { PDFDocument } = await import('pdf-lib');
    const bytes = await readContent(service, version.content);
    return PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
  }

  function open(version: Version): Promise<PDFDocument | null> {
    const key = keyOf(version);
    const found = files.get(key) ?? load(version).catch(() => null);
    keep(files, { key, value: found, limit: KEPT_FILES });
    return found;
  }

  return {
    async count(version) {
      return (await open(version))?.getPageCount() ?? version.pages.length;
    },
    async image(version, number) {
      const key = `${keyOf(version)} ${number}`;
      const image = images.get(key) ?? (await paint(await open(version), { version, number }));
      keep(images, { key, value: image, limit: KEPT_IMAGES });
      return image;
    },
  };
}

async function paint(
  file: PDFDocument | null,
  { version, number }: { version: Version; number: number },
): Promise<PageImage> {
  if (file && number <= file.getPageCount()) {
    const { paintPage } = await import('../pdf/paint-page.ts');
    try {
      return paintPage(file.getPage(number - 1));
    } catch {
      // A page that can't be read is shown blank, as any other page that can't be painted.
    }
  }
  return { svg: blankSheet(version.pages[number - 1] ?? A4, number), text: '' };
}

function blankSheet({ width, height }: PageSize, number: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>
<text x="50%" y="50%" font-family="Helvetica, Arial, sans-serif" font-size="${width / 6}" text-anchor="middle" fill="#8b94a5">${number}</text></svg>`;
}

/** A stored file never changes, so its key stands for its bytes. */
function keyOf({ content, size }: Version): string {
  return content.kind === 'file' ? `file ${content.key} ${size}` : `drawn ${content.pages} ${content.title}`;
}

/** Puts an entry last and lets the oldest go. */
function keep<T>(entries: Map<string, T>, input: { key: string; value: T; limit: number }): void {
  entries.delete(input.key);
  entries.set(input.key, input.value);
  for (const oldest of entries.keys()) {
    if (entries.size <= input.limit) return;
    entries.delete(oldest);
  }
}

/** Sends a picture. Opened by itself it is still only a picture: its policy lets no code run. */
export function sendImage(context: Context, { svg }: PageImage): Response {
  return context.body(svg, 200, {
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; img-src data:; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=60',
  });
}
