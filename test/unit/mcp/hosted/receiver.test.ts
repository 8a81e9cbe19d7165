/** A file that somebody hands over, as the audit and the call that asked for it hear of it. */

import { expect, test } from 'vitest';
import type { Account } from '../../../../mcp/account/account.ts';
import type { AuditLog } from '../../../../mcp/audit/audit.ts';
import { createUploadReceiver } from '../../../../mcp/hosted/file-transfer/receive-upload.ts';
import { createTransferSlots } from '../../../../mcp/hosted/file-transfer/transfer-slots.ts';
import type { UploadAttempt } from '../../../../mcp/hosted/file-transfer/upload-attempt.ts';
import type { UploadTicket, UploadTickets } from '../../../../mcp/hosted/file-transfer/upload-tickets.ts';
import { type Client, UnexpectedResponseError, UnknownOutcomeError } from '../../../../src/index.ts';
import { createStub } from '../../../support/create-stub.ts';
import { ToolError } from '../../../support/mcp-parts.ts';

const REGISTERED = { id: 'd', name: 'a.pdf', sizeBytes: 10, via: 'direct', document: {} };

/** Receives files one after the other, each under a sign-in of its own, which the service takes as `upload` says; what is heard of it, in its order. */
async function receive(upload: () => Promise<object>, files = 1) {
  const heard: unknown[] = [];
  const hand: UploadTicket = {
    ...{ grant: 'g', apiKey: 'key_of_the_hand_over', name: 'a.pdf', documentId: 'd', sizeBytes: undefined },
    ...{ secondsLeft: 9, attempt: undefined },
  };
  const run = createStub<UploadAttempt>({
    sent: () => undefined,
    markRegistering: async () => undefined,
    end: async (phase: string) => void heard.push(`run ${phase}`),
  });
  const receiver = createUploadReceiver({
    uploadTickets: createStub<UploadTickets>({
      find: async (grant: string) => ({ ...hand, grant }),
      begin: async () => run,
    }),
    accounts: {
      get: (apiKey) => createStub<Account>({ secrets: [apiKey], client: async () => createStub<Client>({ upload }) }),
    },
    isRevoked: async () => false,
    slots: createTransferSlots(),
    audit: createStub<AuditLog>({
      start(entry: object) {
        heard.push(entry);
        return { end: (outcome: string) => void heard.push(`audit ${outcome}`) };
      },
    }),
  });
  async function* bytes() {
    yield Buffer.from('%PDF-1.4 x');
  }
  const kinds: string[] = [];
  for (let at = 0; at < files; at += 1) {
    const { kind } = await receiver.receive(`sign-in ${at}`, {
      lengthBytes: 10,
      read: async () => ({ name: 'a.pdf', type: undefined, sizeBytes: 10, bytes: bytes() }),
    });
    kinds.push(kind);
  }
  return { kinds, heard };
}

const UNREADABLE = { operation: 'documents.finalizeUpload', status: 200, excerpt: '' };

const STARTED = {
  tool: 'upload_document',
  args: { name: 'a.pdf', document_id: 'd' },
  apiKey: 'key_of_the_hand_over',
  approvedBy: 'not_needed',
};

test.each<[string, () => Promise<object>, readonly string[]]>([
  ['is registered', async () => REGISTERED, ['done', 'audit done', 'run done']],
  ['is refused', () => Promise.reject(new ToolError('too_large', 'no')), ['failed', 'audit too_large', 'run failed']],
  [
    'may be registered',
    () => Promise.reject(new UnknownOutcomeError('who knows', 'documents.finalizeUpload')),
    ['failed', 'audit unknown_outcome', 'run unknown'],
  ],
  [
    'was taken with an answer that nobody can read',
    () => Promise.reject(new UnexpectedResponseError('no JSON', UNREADABLE)),
    ['failed', 'audit unexpected_response', 'run unknown'],
  ],
])('a file that %s leaves a line before and one after', async (_, upload, [kind, ...ends]) => {
  expect(await receive(upload)).toEqual({ kinds: [kind], heard: [STARTED, ...ends] });
});

test('the places of files that have come are free: sixty-four at once are no bound of all', async () => {
  const { kinds } = await receive(async () => REGISTERED, 70);
  expect(kinds).toEqual(Array(70).fill('done'));
});
