/** What a Zap does where it can not know: it looks, waits or stops, and does nothing twice. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Bundle } from 'zapier-platform-core';
import { SigningState } from '../../../../zapier/creates/send-once.ts';
import { checkSent } from '../../../../zapier/creates/signing-draft.ts';
import { fetchSignedDocument } from '../../../../zapier/hydrators/signed-document.ts';
import { MAX_FILE_BYTES, openFileUrl } from '../../../../zapier/platform/open-file-url.ts';
import { createResumeStore } from '../../../../zapier/platform/resume.ts';
import { createZapClient } from '../../../../zapier/platform/with-client.ts';
import { isSigned } from '../../../../zapier/records/is-signed.ts';
import { agreement } from '../../../../zapier/records/kinds.ts';
import { tryFindById } from '../../../../zapier/records/read-list.ts';
import { type ZapAnswer, zapStep } from '../../../support/zap-step.ts';
import { platformWith } from '../../../support/zapier-z.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
/** Asks a service of these agreements. */
const ask = <Result>(
  answer: () => ZapAnswer,
  question: (client: ReturnType<typeof createZapClient>) => Promise<Result>,
) =>
  zapStep(answer).run<Result>((z: never, { authData }: { authData: Record<string, string> }) =>
    question(createZapClient(z, authData)),
  );

test('what a run has done is kept for the replays of a day, and for its own connection alone', async () => {
  const scopes: unknown[] = [];
  let seconds = 0;
  const cache = {
    get: async (_: string, scope: unknown) => void scopes.push(scope),
    set: async (_: string, _value: unknown, ttl: number, scope: unknown) => {
      scopes.push(scope);
      seconds = ttl;
      return true;
    },
    delete: async (_: string, scope: unknown) => scopes.push(scope) > 0,
  };
  const z = platformWith({ cache, hash: () => 'h' });
  const unfinished = createResumeStore(
    { z, bundle: { meta: {} as Bundle['meta'] } },
    { step: 'sign', input: {}, schema: SigningState },
  );
  expect(await unfinished.save({ draft: { id: 'a1', messageIncluded: true } })).toBe(true);
  await unfinished.load();
  await unfinished.clear();
  expect(seconds).toBe(24 * 60 * 60);
  expect(scopes).toEqual([['auth'], ['auth'], ['auth']]);
});

describe('an agreement', () => {
  test.each<[string, Item, string | undefined, boolean | undefined]>([
    ['whose state is what it was as a draft was not sent', { status: 'Pending' }, 'pending', false],
    ['that came into another state was', { status: 'queued' }, 'draft', true],
    ['with a time of sending was', { status: 'draft', sent_at: '2026-01-01' }, 'draft', true],
    ['in a state that only sent ones have was', { status: 'sent' }, undefined, true],
    ['in a state of drafts was not', { status: 'draft' }, undefined, false],
    ['without a state may have been', {}, 'draft', undefined],
  ])('%s', async (_, record, before, sent) => {
    const answer = () => ({ json: { data: [{ id: 'a1', ...record }] } });
    expect(await ask(answer, (client) => checkSent(client, { id: 'a1', draftStatus: before }))).toMatchObject({
      isSent: sent,
    });
  });
  test.each<[unknown, object]>([
    [{ data: [{ id: 'a1' }] }, { kind: 'found', item: { id: 'a1' } }],
    [{ data: [{ id: 'a2' }] }, { kind: 'not-found' }],
    // The service says that it has more, and gives no way to it.
    [
      { data: [{ id: 'a2' }], has_more: true },
      { kind: 'not-fully-searched', read: 1 },
    ],
  ])('of a list like %j is %j', async (json, found) => {
    expect(
      await ask(
        () => ({ json }),
        (client) => tryFindById(agreement, client, 'a1'),
      ),
    ).toMatchObject(found);
  });
  test.each<[Item, boolean]>([
    [{ status: 'signed' }, true],
    [{ status: 'Completed' }, true],
    [{ status: 'Fully Signed' }, true],
    [{ status: 'sent' }, false],
    [{ status: 'declined' }, false],
    [{}, true],
  ])('of %j is signed: %s', (item, signed) => {
    expect(isSigned(item)).toBe(signed);
  });
});

test.each([202, 204, 404, 409, 425])('a signed document that is answered by %i is asked for again', async (status) => {
  const step = zapStep(() => ({ status, ...(status === 204 ? {} : { json: {} }) }));
  await expect(step.run(fetchSignedDocument, { inputData: { agreement_id: 'a1' } })).rejects.toThrow(
    texts.signedDocumentReadyYet,
  );
});

test('a file that does not say how long it is ends where it is too large', async () => {
  const chunk = Buffer.alloc(MAX_FILE_BYTES / 10, 'x');
  let given = 0;
  async function* bytes() {
    for (; given < 20; given += 1) yield chunk;
  }
  const z = platformWith({
    request: async () => ({ status: 200, headers: new Headers(), body: Readable.from(bytes()) }),
  });
  const { source } = await openFileUrl(z, 'https://files.test/a.mp4');
  const read = async () => {
    for await (const _ of source as AsyncIterable<Uint8Array>);
  };
  await expect(read()).rejects.toThrow(texts.fileLargerThan100);
  expect(given).toBeLessThan(20);
});
