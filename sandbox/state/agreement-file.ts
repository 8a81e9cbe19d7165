import type { FileView } from '../handlers/handler.ts';
import { runPdfTask } from '../pdf/run-pdf-task.ts';
import type { Service } from '../service.ts';
import { readContent } from '../storage/content.ts';
import { latest } from './documents.ts';
import type { AgreementRecord, Content, Version } from './records.ts';

/** What may be loaded into memory to be signed; a larger source gets its signature page alone. */
const SIGN_LIMIT_BYTES = 8 * 1024 * 1024;

/** Signed once, a document stays as it is; drawing it again would overwrite what someone is just reading. */
const signed = new WeakMap<AgreementRecord, Promise<FileView>>();

/** §4: the agreement's (signed) document, as it stands now: its source, and after the last signature the signed PDF. */
export async function agreementFile(service: Service, agreement: AgreementRecord): Promise<FileView> {
  if (agreement.status !== 'signed' || agreement.signed_at === null)
    return { name: fileName(agreement, ''), version: getSourceVersion(service, agreement) };
  const file = signed.get(agreement) ?? drawSigned(service, agreement);
  signed.set(agreement, file);
  // A disk may have room again.
  file.catch(() => signed.delete(agreement));
  return file;
}

function fileName(agreement: AgreementRecord, addition: string): string {
  return `${[...agreement.name.replace(/[^\p{L}\p{N} ._-]/gu, '')].slice(0, 120).join('') || 'agreement'}${addition}.pdf`;
}

async function drawSigned(service: Service, agreement: AgreementRecord): Promise<FileView> {
  const source = getSourceVersion(service, agreement);
  const key = ['signed', agreement.id, agreement.signed_at].join('_').replace(/[^0-9a-zA-Z_-]/g, '-');
  const drawable = source.content_type === 'application/pdf' && source.size <= SIGN_LIMIT_BYTES;
  const bytes = await runPdfTask('drawSignedPdf', {
    source: drawable ? await readContent(service, source.content) : null,
    agreement,
  }).catch(() => runPdfTask('drawSignedPdf', { source: null, agreement }));
  await service.files.write(key, bytes);
  const content = { kind: 'file', key } as const;
  return {
    name: fileName(agreement, ' (signed)'),
    version: { ...source, content, content_type: 'application/pdf', size: bytes.length },
  };
}

function getSourceVersion(service: Service, agreement: AgreementRecord): Version {
  const document = agreement.document_id && service.state.documents.get(agreement.document_id);
  if (document) return latest(document);
  const content: Content = { kind: 'drawn', drawing: 'agreement', title: agreement.name };
  return {
    version: 1,
    content,
    content_type: 'application/pdf',
    size: 0,
    pages: [],
    created_at: agreement.created_at,
  };
}
