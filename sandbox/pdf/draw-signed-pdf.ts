import type { AgreementRecord } from '../state/records.ts';
import { toWinAnsi } from './win-ansi.ts';

/** The document that was signed. */
interface SignedOriginal {
  readonly name: string;
  /** Zero if the file is not a PDF that can be read. */
  readonly pages: number;
  readonly size: number;
  readonly sha256: string;
  /** Its content, whose pages come before the signature page; null if they can't. */
  readonly bytes: Uint8Array | null;
}

/** A PDF that names an attachment whose object is still missing; {@link attachFile} appends it. */
export interface PdfToAttachTo {
  readonly bytes: Uint8Array;
  readonly rootNumber: number;
  readonly attachmentNumber: number;
}

/** Draws the document's pages, if they can be read, and a signature page that identifies the attached original. */
export async function drawSignedPdf(input: {
  original: SignedOriginal;
  agreement: AgreementRecord;
}): Promise<PdfToAttachTo> {
  const { agreement, original } = input;
  const { FONTS, PDFDict, PDFDocument, PDFHexString, PDFName, rgb } = await import('./pdf-lib.ts');
  // An encrypted source is left out: its pages need its password.
  const source = original.bytes && (await PDFDocument.load(original.bytes).catch(() => null));
  // pdf-lib misses pages of unusual page trees.
  const isComplete = source?.getPageCount() === original.pages;
  const pdf = source && isComplete ? source : await PDFDocument.create();
  const bold = await pdf.embedFont(FONTS.bold);
  const regular = await pdf.embedFont(FONTS.plain);
  const script = await pdf.embedFont(FONTS.script);
  const ink = rgb(0.08, 0.16, 0.45);
  let page = pdf.addPage([595, 842]);
  page.drawText('Signature page', { x: 56, y: 760, size: 24, font: bold });
  page.drawText(toWinAnsi(agreement.name).slice(0, 70), { x: 56, y: 734, size: 13, font: regular });
  const pages = original.pages === 0 ? '' : `${original.pages} ${original.pages === 1 ? 'page' : 'pages'}, `;
  const facts = [
    `Agreement ${agreement.id}`,
    `Document: ${toWinAnsi(original.name).slice(0, 80)} (${pages}${original.size} bytes)`,
    `SHA-256: ${original.sha256}`,
    `The original file is attached to this PDF${isComplete ? '' : ', because its pages could not be included'}.`,
  ];
  page.drawText(facts.join('\n'), { x: 56, y: 714, size: 9, font: regular, lineHeight: 13 });
  let y = 630;
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
  await pdf.flush();
  const name = PDFHexString.fromText(original.name);
  const file = pdf.context.obj({ Type: 'Filespec', F: name, UF: name });
  const names = pdf.catalog.lookupMaybe(PDFName.of('Names'), PDFDict) ?? pdf.context.obj({});
  // Replaces attachments of the source, which the original still holds.
  names.set(PDFName.of('EmbeddedFiles'), pdf.context.obj({ Names: [name, pdf.context.register(file)] }));
  pdf.catalog.set(PDFName.of('Names'), names);
  const attachment = pdf.context.nextRef();
  file.set(PDFName.of('EF'), pdf.context.obj({ F: attachment, UF: attachment }));
  return {
    bytes: await pdf.save({ useObjectStreams: false }),
    rootNumber: (pdf.context.getObjectRef(pdf.catalog) ?? attachment).objectNumber,
    attachmentNumber: attachment.objectNumber,
  };
}
