import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { attachFile } from '../pdf/attach-file.ts';
import { runPdfTask } from '../pdf/run-pdf-task.ts';
import type { AgreementRecord, Content } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { getLatestVersion } from '../state/state.ts';
import { openContent, readContent } from './content.ts';
import type { FileView } from './stored-file.ts';

/** The pages of larger sources are not loaded into memory; the signed file has them as its attachment only. */
const MAX_SIGN_BYTES = 8 * 1024 * 1024;

/** Drawn once: writing it again could overwrite a file that is being read. */
const signedFiles = new WeakMap<AgreementRecord, Promise<FileView>>();

/** §4: returns the agreement's document: its source, or the signed PDF after the last signature. */
export async function getAgreementFile(service: Service, agreement: AgreementRecord): Promise<FileView> {
  if (agreement.status !== 'signed' || agreement.signed_at === null) return getSource(service, agreement);
  const file = signedFiles.get(agreement) ?? renderSigned(service, agreement);
  signedFiles.set(agreement, file);
  // Retried later, when the disk may have space again.
  file.catch(() => signedFiles.delete(agreement));
  return file;
}

function getFileName(agreement: AgreementRecord, ending: string): string {
  return `${[...agreement.name.replace(/[^\p{L}\p{N} ._-]/gu, '')].slice(0, 120).join('') || 'agreement'}${ending}`;
}

async function renderSigned(service: Service, agreement: AgreementRecord): Promise<FileView> {
  const { version: source } = getSource(service, agreement);
  const name = service.state.documents.get(agreement.document_id ?? '')?.file_name ?? getFileName(agreement, '.pdf');
  const key = ['signed', agreement.id, agreement.signed_at].join('_').replace(/[^0-9a-zA-Z_-]/g, '-');
  const { size, read } = await openContent(service, source.content);
  const hash = createHash('sha256');
  for await (const chunk of toChunks(read())) hash.update(chunk);
  const original = { name, pages: source.pages.length, size, sha256: hash.digest('hex'), bytes: null };
  const hasPages = source.content_type === 'application/pdf' && size <= MAX_SIGN_BYTES;
  const bytes = hasPages ? await readContent(service, source.content) : null;
  const drawn = await runPdfTask('drawSignedPdf', { original: { ...original, bytes }, agreement }).catch(() =>
    runPdfTask('drawSignedPdf', { original, agreement }),
  );
  const signed = Readable.from(attachFile(drawn, { size, content: toChunks(read()) }));
  const signedSize = await service.files.receive(key, signed);
  return {
    name: getFileName(agreement, ' (signed).pdf'),
    version: { ...source, content: { kind: 'file', key }, content_type: 'application/pdf', size: signedSize },
  };
}

const toChunks = (content: Readable | Uint8Array): AsyncIterable<Uint8Array> | Uint8Array[] =>
  content instanceof Uint8Array ? [content] : content;

/** Returns the document as it was sent, named after the agreement. */
function getSource(service: Service, agreement: AgreementRecord): FileView {
  const document = agreement.document_id && service.state.documents.get(agreement.document_id);
  if (document)
    return { name: getFileName(agreement, extname(document.file_name) || '.pdf'), version: getLatestVersion(document) };
  const content: Content = { kind: 'drawn', title: agreement.name };
  const pages = [{ width: 595, height: 842 }];
  return {
    name: getFileName(agreement, '.pdf'),
    version: { version: 1, content, content_type: 'application/pdf', size: 0, pages, created_at: agreement.created_at },
  };
}
