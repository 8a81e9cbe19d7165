import type { AgreementRecord } from '../state/records.ts';
import { toWinAnsi } from './win-ansi.ts';

/** Appends a page that lists the signatures; that page alone if the source can't be read. */
export async function drawSignedPdf(input: {
  source: Uint8Array | null;
  agreement: AgreementRecord;
}): Promise<Uint8Array> {
  const { agreement } = input;
  const { FONTS, PDFDocument, rgb } = await import('./library.ts');
  // An encrypted source is left out: its pages need its password.
  const source = input.source && (await PDFDocument.load(input.source).catch(() => null));
  const pdf = source || (await PDFDocument.create());
  const bold = await pdf.embedFont(FONTS.bold);
  const regular = await pdf.embedFont(FONTS.plain);
  const script = await pdf.embedFont(FONTS.script);
  const ink = rgb(0.08, 0.16, 0.45);
  let page = pdf.addPage([595, 842]);
  page.drawText('Signature page', { x: 56, y: 760, size: 24, font: bold });
  page.drawText(toWinAnsi(agreement.name).slice(0, 70), { x: 56, y: 734, size: 13, font: regular });
  page.drawText(`Agreement ${agreement.id}`, { x: 56, y: 714, size: 10, font: regular });
  if (!source) {
    const line = 'The original document could not be attached to this page. It was signed as sent.';
    page.drawText(line, { x: 56, y: 694, size: 10, font: regular });
  }
  let y = 650;
  for (const recipient of agreement.recipients) {
    if (y < 80) {
      page = pdf.addPage([595, 842]);
      y = 760;
    }
    const name = toWinAnsi(recipient.signed_name ?? recipient.name);
    page.drawText(name.slice(0, 40), { x: 56, y, size: 26, font: script, color: ink });
    page.drawLine({ start: { x: 56, y: y - 8 }, end: { x: 360, y: y - 8 }, thickness: 0.8 });
    const when = recipient.signed_at === null ? 'not signed' : new Date(recipient.signed_at).toISOString();
    const line = `Signed by ${name} <${toWinAnsi(recipient.email)}> at ${when}`;
    page.drawText(line.slice(0, 110), { x: 56, y: y - 24, size: 9, font: regular });
    y -= 84;
  }
  pdf.setSubject(toWinAnsi(`Signed by ${agreement.recipients.map(({ email }) => email).join(', ')}`));
  // Dated by the sandbox's clock, so that the same agreement gives the same bytes.
  const signedAt = new Date(agreement.signed_at ?? agreement.created_at);
  pdf.setCreationDate(signedAt);
  pdf.setModificationDate(signedAt);
  return pdf.save();
}
