import type { JsonObject } from '../../../src/records/fields.ts';
import type { Accounts } from '../../account/account.ts';
import { restrictAccount } from '../../account/restrict-account.ts';
import type { AuditLog } from '../../audit/audit.ts';
import { createMemory } from '../../call/call-tool.ts';
import { describeFailure } from '../../result/describe-failure.ts';
import type { StateProvider } from '../../state/shared-state.ts';
import { ToolError } from '../../tool-error.ts';
import { forwardUpload, type IncomingFile } from './forward-upload.ts';
import type { TransferSlots } from './transfer-slots.ts';
import type { UploadAttempt } from './upload-attempt.ts';
import { getUploadTimeoutMs } from './upload-stream.ts';
import type { UploadTicket, UploadTickets } from './upload-tickets.ts';

/** Outcome of an upload, for the sender; the tool reports the same. */
export type UploadOutcome =
  | { readonly kind: 'done'; readonly result: JsonObject }
  | { readonly kind: 'failed'; readonly failure: JsonObject }
  /** Another file was uploaded before, or is being uploaded. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'busy' };

export interface UploadReceiver {
  receive(token: string, file: IncomingFile): Promise<UploadOutcome>;
}

export function createUploadReceiver(deps: {
  uploadTickets: UploadTickets;
  accounts: Pick<Accounts, 'get'>;
  isRevoked: (grant: string, apiKey: string) => Promise<boolean>;
  audit?: AuditLog | undefined;
  slots: TransferSlots;
  state: StateProvider;
}): UploadReceiver {
  const { uploadTickets, accounts, isRevoked, audit, slots } = deps;

  async function forwardToService(
    ticket: UploadTicket,
    attempt: UploadAttempt,
    file: IncomingFile,
  ): Promise<UploadOutcome> {
    const { grant, apiKey, scopes, workspace, subject, name, documentId, approvedBy = 'not_needed' } = ticket;
    const fullAccount = accounts.get(apiKey);
    // Reads what the question about a new version could read.
    const account = scopes ? restrictAccount(fullAccount, scopes) : fullAccount;
    let auditEntry: ReturnType<AuditLog['start']> | undefined;
    try {
      const args = { name, document_id: documentId };
      auditEntry = audit?.start({ tool: 'upload_document', args, apiKey, subject, workspace, approvedBy });
      const client = await account.client();
      const state = await deps.state();
      const memory = createMemory(state, account.getSharedFingerprint(state.secret));
      const requireSignIn = async () => {
        if (await isRevoked(grant, apiKey))
          throw new ToolError('gone', 'The sign-in has ended. The file was not saved.');
      };
      const uploaded = await forwardUpload(file, { client, ticket, attempt, memory, requireSignIn });
      const result = { ...uploaded, approved_by: approvedBy };
      auditEntry?.end('done', result);
      await attempt.end('done', result);
      return { kind: 'done', result };
    } catch (error) {
      const failure = describeFailure(error, { secrets: account.secrets });
      const code = String(failure['code']);
      auditEntry?.end(code);
      // An unreadable success may have registered the file.
      if (code === 'unknown_outcome' || code === 'unexpected_response') await attempt.end('unknown');
      else await attempt.end('failed', failure);
      return { kind: 'failed', failure };
    }
  }

  return {
    async receive(token, file) {
      const ticket = await uploadTickets.find(token);
      if (!ticket || (await isRevoked(ticket.grant, ticket.apiKey))) return { kind: 'gone' };
      const freeSlot = slots.acquire(ticket.signIn ?? ticket.grant);
      if (!freeSlot) return { kind: 'busy' };
      try {
        const totalBytes = file.sizeBytes ?? 0;
        const attempt = await uploadTickets.begin(token, { totalBytes, maxDurationMs: getUploadTimeoutMs(totalBytes) });
        if (!attempt) return { kind: 'gone' };
        return 'end' in attempt ? await forwardToService(ticket, attempt, file) : { kind: 'taken' };
      } finally {
        freeSlot();
      }
    },
  };
}
