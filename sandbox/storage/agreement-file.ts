import { runPdfTask } from '../pdf/run-pdf-task.ts';
import { getLatestVersion } from '../state/latest-version.ts';
import type { AgreementRecord, Content, Version } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { readContent } from './content.ts';
import type { FileView } from './stored-file.ts';

/** Larger sources are not loaded into memory; their signed file is the signature page alone. */
const MAX_SIGN_BYTES = 8 * 1024 * 1024;

/** Drawn once: writing it again could overwrite a file that is being read. */
const signedFiles = new WeakMap<AgreementRecord, Promise<FileView>>();

/** §4: returns the agreement's document: its source, or the signed PDF after the last signature. */
export async function getAgreementFile(service: Service, agreement: AgreementRecord): Promise<FileView> {
  if (agreement.status !== 'signed' || agreement.signed_at === null)
    return { name: getFileName(agreement, ''), version: getSourceVersion(service, agreement) };
  const file = signedFiles.get(agreement) ?? renderSigned(service, agreement);
  signedFiles.set(agreement, file);
  // Retried later, when the disk may have space again.
  file.catch(() => signedFiles.delete(agreement));
  return file;
}

function getFileName(agreement: AgreementRecord, suffix: string): string {
  return `${[...agreement.name.replace(/[^\p{L}\p{N} ._-]/gu, '')].slice(0, 120).join('') || 'agreement'}${suffix}.pdf`;
}

async function renderSigned(service: Service, agreement: AgreementRecord): Promise<FileView> {
  const source = getSourceVersion(service, agreement);
  const key = ['signed', agreement.id, agreement.signed_at].join('_').replace(/[^0-9a-zA-Z_-]/g, '-');
  const canReadSource = source.content_type === 'application/pdf' && source.size <= MAX_SIGN_BYTES;
  const bytes = await runPdfTask('drawSignedPdf', {
    source: canReadSource ? await readContent(service, source.content) : null,
    agreement,
  }).catch(() => runPdfTask('drawSignedPdf', { source: null, agreement }));
  await service.files.write(key, bytes);
  const content = { kind: 'file', key } as const;
  return {
    name: getFileName(agreement, ' (signed)'),
    version: { ...source, content, content_type: 'application/pdf', size: bytes.length },
  };
}

function getSourceVersion(service: Service, agreement: AgreementRecord): Version {
  const document = agreement.document_id && service.state.documents.get(agreement.document_id);
  if (document) return getLatestVersion(document);
  const content: Content = { kind: 'drawn', title: agreement.name };
  return { version: 1, content, content_type: 'application/pdf', size: 0, pages: [], created_at: agreement.created_at };
}
