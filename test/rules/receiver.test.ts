/** A file that somebody hands over, as the audit and the call that asked for it hear of it. */
import { expect, test } from 'vitest';
import type { Account } from '../../mcp/account/account.ts';
import type { Run } from '../../mcp/hosted/hand-over/hand-over-run.ts';
import type { HandOvers, OpenHandOver } from '../../mcp/hosted/hand-over/hand-overs.ts';
import { createReceiver } from '../../mcp/hosted/hand-over/receive.ts';
import type { Audit } from '../../mcp/record/audit.ts';
import { ToolError } from '../../mcp/tool-error.ts';
import { type Client, UnknownOutcomeError } from '../../src/index.ts';
import { standIn } from '../world/stand-in.ts';

/** Receives one file, which the service takes as `upload` says; what is heard of it, in its order. */
async function receive(upload: () => Promise<object>) {
  const heard: unknown[] = [];
  const hand: OpenHandOver = {
    ...{ grant: 'g', apiKey: 'key_of_the_hand_over', name: 'a.pdf', documentId: 'd', sizeBytes: undefined },
    ...{ secondsLeft: 9, run: undefined },
  };
  const run = standIn<Run>({
    sent: () => undefined,
    registering: async () => undefined,
    end: async (phase: string) => void heard.push(`run ${phase}`),
  });
  const receiver = createReceiver({
    handOvers: standIn<HandOvers>({ find: async () => hand, begin: async () => run }),
    accounts: {
      of: (apiKey) =>
        standIn<Account>({ secrets: [apiKey], client: async () => standIn<Client>({ upload }) }),
    },
    isEnded: async () => false,
    audit: standIn<Audit>({
      start(entry: object) {
        heard.push(entry);
        return { end: (outcome: string) => void heard.push(`audit ${outcome}`) };
      },
    }),
  });
  async function* bytes() {
    yield Buffer.from('%PDF-1.4 x');
  }
  const { kind } = await receiver.receive('token', {
    lengthBytes: 10,
    read: async () => ({ name: 'a.pdf', type: undefined, sizeBytes: 10, bytes: bytes() }),
  });
  return { kind, heard };
}

const STARTED = {
  tool: 'upload_document',
  args: { name: 'a.pdf', document_id: 'd' },
  apiKey: 'key_of_the_hand_over',
  confirmed: 'not_asked',
};

test.each<[string, () => Promise<object>, readonly string[]]>([
  [
    'is registered',
    async () => ({ id: 'd', name: 'a.pdf', sizeBytes: 10, via: 'direct', document: {} }),
    ['done', 'audit done', 'run done'],
  ],
  [
    'is refused',
    () => Promise.reject(new ToolError('too_large', 'no')),
    ['failed', 'audit too_large', 'run failed'],
  ],
  [
    'may be registered',
    () => Promise.reject(new UnknownOutcomeError('who knows', 'documents.finalizeUpload')),
    ['failed', 'audit unknown_outcome', 'run unknown'],
  ],
])('a file that %s leaves a line before and one after', async (_, upload, [kind, ...ends]) => {
  expect(await receive(upload)).toEqual({ kind, heard: [STARTED, ...ends] });
});
