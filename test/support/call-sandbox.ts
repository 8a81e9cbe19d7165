import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { Sandbox } from '../../sandbox/index.ts';
import { createForm, sendJson } from './ask-service.ts';

/** Calls the API with a key that has all scopes. */
export function createCaller(sandbox: Sandbox) {
  const key = sandbox.key();
  return (route: string, body?: object) => {
    const [method = '', path = ''] = route.split(' ');
    return sendJson(sandbox, { key, method, path, body });
  };
}

export async function drawDocument(titles: readonly string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setCreationDate(new Date(0));
  pdf.setModificationDate(new Date(0));
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const title of titles) pdf.addPage([595, 842]).drawText(title, { x: 60, y: 700, size: 32, font });
  return pdf.save();
}

/** Uploads a PDF with one page per title. Returns its ID. */
export async function storeDocument(
  call: ReturnType<typeof createCaller>,
  input: { name: string; titles: readonly string[] },
): Promise<string> {
  const bytes = Uint8Array.from(await drawDocument(input.titles));
  const file = new File([bytes], 'file.pdf', { type: 'application/pdf' });
  return (await call('POST /documents', createForm({ file, name: input.name }))).body.id;
}
