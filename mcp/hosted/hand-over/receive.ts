import type { JsonObject } from '../../../src/answer/fields.ts';
import type { Accounts } from '../../account/account.ts';
import { describeFailure } from '../../answer/failure.ts';
import type { AuditLog } from '../../record/audit.ts';
import type { Run } from './hand-over-run.ts';
import type { HandOvers, OpenHandOver } from './hand-overs.ts';
import { longestFor } from './incoming.ts';
import { type IncomingFile, passOn } from './pass-on.ts';

/** What came of a file, for whoever sent it; the tool hears the same. */
export type Received =
  | { readonly kind: 'done'; readonly answer: JsonObject }
  | { readonly kind: 'failed'; readonly failure: JsonObject }
  /** Another file came before, or is on its way. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'busy' };

export interface Receiver {
  /** @param request `lengthBytes` is that of the whole request; `read` gets the file out of it. */
  receive(
    token: string,
    request: { lengthBytes: number | undefined; read: () => Promise<IncomingFile> },
  ): Promise<Received>;
}

/** Files that come in at once, at this replica: each holds little memory, but a connection and a place at the service. */
const LIMITS = { inAll: 64, perGrant: 4 };

export function createReceiver(deps: {
  handOvers: HandOvers;
  accounts: Pick<Accounts, 'get'>;
  isEnded: (grant: string, apiKey: string) => Promise<boolean>;
  audit?: AuditLog | undefined;
  limits?: { readonly inAll: number; readonly perGrant: number };
}): Receiver {
  const { handOvers, accounts, isEnded, audit, limits = LIMITS } = deps;
  const running = new Map<string, number>();

  async function take(
    hand: OpenHandOver,
    run: Run,
    request: Parameters<Receiver['receive']>[1],
  ): Promise<Received> {
    const { apiKey, name, documentId } = hand;
    const account = accounts.get(apiKey);
    const record = audit?.start({
      tool: 'upload_document',
      args: { name, document_id: documentId },
      apiKey,
      confirmed: 'not_asked',
    });
    try {
      const client = await account.client();
      const answer = await passOn(await request.read(), { client, hand, run });
      record?.end('done', answer);
      await run.end('done', answer);
      return { kind: 'done', answer };
    } catch (error) {
      const failure = describeFailure(error, { secrets: account.secrets });
      const code = String(failure['code']);
      record?.end(code);
      // A success that can't be read may have registered the file.
      if (code === 'unknown_outcome' || code === 'unexpected_answer') await run.end('unknown');
      else await run.end('failed', failure);
      return { kind: 'failed', failure };
    }
  }

  return {
    async receive(token, request) {
      const hand = await handOvers.find(token);
      if (!hand || (await isEnded(hand.grant, hand.apiKey))) return { kind: 'gone' };
      const own = running.get(hand.grant) ?? 0;
      const all = [...running.values()].reduce((sum, count) => sum + count, 0);
      if (own >= limits.perGrant || all >= limits.inAll) return { kind: 'busy' };
      running.set(hand.grant, own + 1);
      try {
        const totalBytes = request.lengthBytes ?? 0;
        const run = await handOvers.begin(token, { totalBytes, withinMs: longestFor(totalBytes) });
        if (!run) return { kind: 'gone' };
        return 'end' in run ? await take(hand, run, request) : { kind: 'taken' };
      } finally {
        const left = (running.get(hand.grant) ?? 1) - 1;
        if (left > 0) running.set(hand.grant, left);
        else running.delete(hand.grant);
      }
    },
  };
}
