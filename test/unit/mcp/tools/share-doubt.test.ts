/** A file that was uploaded to be shared, where its link is in doubt: nobody uploads it again, and its handle is closed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileAccess } from '../../../../mcp/files/file-access.ts';
import type { ToolContext } from '../../../../mcp/tool/tool.ts';
import { shareDocument } from '../../../../mcp/tools/share-document.ts';
import { PermissionError, UnexpectedResponseError, UnknownOutcomeError } from '../../../../src/errors.ts';
import { standIn } from '../../../support/stand-in.ts';

const about = { operation: 'links.create', status: 201, excerpt: '' } as const;
const refused = { operation: 'links.create', status: 403, scope: 'links:write', body: '' } as const;

test.each([
  ['is not known', new UnknownOutcomeError('Cut.', 'links.create'), 'unknown_outcome'],
  ['came with an answer that is none', new UnexpectedResponseError('Odd.', about), 'unknown_outcome'],
  ['was refused', new PermissionError('No.', refused), 'partly_done'],
])('a link that %s: the document is named', async (_, cause, code) => {
  const folder = await mkdtemp(join(tmpdir(), 'docshare-share-'));
  try {
    const path = join(folder, 'deck.pdf');
    await writeFile(path, '%PDF-1.7');
    const handles: { readonly fd: number }[] = [];
    const files = standIn<FileAccess>({
      resolveExisting: async () => ({ path }),
      verifyOpenedForUpload: async (handle: { readonly fd: number }) => void handles.push(handle),
    });
    const client = {
      upload: async () => ({ id: 'd1', document: { id: 'd1' }, sizeBytes: 8, via: 'form' }),
      links: { create: () => Promise.reject(cause) },
    };
    const context = standIn<ToolContext>({ client, files, options: {}, progress: { step: () => undefined } });
    await expect(shareDocument.handler(context, { path })).rejects.toMatchObject({
      code,
      details: { document_id: 'd1' },
    });
    expect(handles.map(({ fd }) => fd)).toEqual([-1]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
