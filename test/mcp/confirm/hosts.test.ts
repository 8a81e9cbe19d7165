/** Hosts that do not show a question, answer it themselves or drop it: nothing happens, and a person can still act. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createClient } from '../../../src/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { closeAfterAll, closeAfterTest, createFolderForTest } from '../../support/cleanup.ts';
import { createPerson } from '../../support/hosted-visitor.ts';
import { type Json, type Kind, openHostOnSandbox } from '../../support/mcp-host.ts';
import { openRaw } from '../../support/mcp-in-process.ts';
import { createLocalConfirmationPages, createStateProvider } from '../../support/mcp-parts.ts';

const BOTH_ERAS = ['sdk 2.x legacy', 'sdk 2.x modern'] as const;
const APPROVE = { action: 'accept', content: { confirm: true } };
const BY_PAGE = { deleted: true, approved_by: 'page' };
/** How long a user needs to read a question; shorter than in production, because many tests wait for it. */
const READING_MS = 500;
const READ_MS = READING_MS + 50;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const sandbox = await closeAfterAll(createSandbox());
beforeEach(() => sandbox.log.clear());

/** A separate link for each test. */
async function createLink(): Promise<string> {
  const [document] = sandbox.snapshot().state.documents.values();
  const body = { document_id: document?.id, email_required: true };
  const created = await sendJson(sandbox, { key: sandbox.key(), method: 'POST', path: '/links', body });
  sandbox.log.clear();
  return created.body.id;
}

const deletes = () => sandbox.log.entries().filter(({ method }) => method === 'DELETE').length;

/** The user opens the page and answers there. */
const decide = (url: string, decision: 'approve' | 'deny') => createPerson().answer(url, decision);

interface HostBehaviour {
  readonly kind?: Kind;
  readonly mode?: 'form' | 'url';
  readonly onForm?: (question: { message: string; url: string }) => Promise<Json>;
  /** The user's actions on the page that the server opens; without them, no browser exists. */
  readonly onPage?: 'approve' | 'deny';
  readonly args?: readonly string[];
  readonly pageWaitMs?: number;
}

async function openClient({ mode = 'form', onForm, onPage, pageWaitMs = 20_000, ...options }: HostBehaviour) {
  const opened: string[] = [];
  const host = await openHostOnSandbox(sandbox, {
    kind: 'sdk 2.x legacy',
    ...options,
    ...(onForm && { elicitation: { [mode]: onForm } }),
    waits: { minAnswerMs: READING_MS, pageWaitMs },
    openBrowser: async (url) => {
      if (!onPage) return false;
      opened.push(url);
      const decided = wait(50).then(() => decide(url, onPage));
      onTestFinished(async () => void (await decided));
      return true;
    },
  });
  return { opened, call: async (name: string, args: Json) => (await host.call(name, args)).data };
}

const fail = (code: number) => async () => {
  throw Object.assign(new Error('no'), { code });
};
const BEHAVIOURS: Readonly<Record<string, () => Promise<Json>>> = {
  'cancels in 5 ms': async () => wait(5).then(() => ({ action: 'cancel' })),
  'declines in 1 ms': async () => wait(1).then(() => ({ action: 'decline' })),
  'accepts at once': async () => APPROVE,
};
/** Only requests can fail; the modern era has no requests for forms. */
const FAILURES = { 'answers -32601': fail(-32_601), 'answers -32603': fail(-32_603) };

describe.each(BOTH_ERAS)('a host of %s', (kind) => {
  const behaviours = Object.entries({ ...BEHAVIOURS, ...(kind === 'sdk 2.x legacy' ? FAILURES : {}) });
  test.each(behaviours)('%s: this is not a decline, and the page asks in the same call', async (_, onForm) => {
    const host = await openClient({ kind, onForm, onPage: 'approve' });
    expect(await host.call('delete_link', { id: await createLink() })).toMatchObject(BY_PAGE);
    expect([deletes(), host.opened.length]).toEqual([1, 1]);
  });

  test.each(behaviours)('%s, without a browser: nothing happens or is declined, however often', async (_, onForm) => {
    const host = await openClient({ kind, onForm });
    for (let round = 0; round < 9; round++) {
      const result = await host.call('delete_link', { id: await createLink() });
      expect(['too_fast', 'not_shown']).toContain(result['outcome']);
      expect(result).toMatchObject({ done: false });
      expect(result['next']).toContain('--confirm unattended');
    }
    expect(deletes()).toBe(0);
  });

  test.each([{}, { content: {} }, { content: { confirm: 'true' } }])(
    'an accepted form with %j asks on the page',
    async (form) => {
      const onForm = async () => wait(READ_MS).then(() => ({ action: 'accept', ...form }));
      const host = await openClient({ kind, onForm });
      const { outcome, next } = await host.call('delete_link', { id: await createLink() });
      expect([outcome, next]).toEqual(['not_shown', expect.stringContaining('does not return what the user decides')]);
      expect([deletes(), next]).toEqual([0, expect.not.stringContaining('not asked')]);
      const withPage = await openClient({ kind, onForm, onPage: 'approve' });
      expect(await withPage.call('delete_link', { id: await createLink() })).toMatchObject(BY_PAGE);
    },
  );

  test('without any capability, the page asks', async () => {
    const host = await openClient({ kind, onPage: 'approve' });
    const result = await host.call('delete_link', { id: await createLink() });
    expect(result).toMatchObject(BY_PAGE);
    expect(JSON.stringify(result)).not.toContain(new URL(host.opened[0] ?? '').port);
  });

  test('a user who has read the question approves with the form, and no page opens', async () => {
    const host = await openClient({ kind, onForm: async () => wait(READ_MS).then(() => APPROVE), onPage: 'deny' });
    const byForm = { deleted: true, approved_by: 'form' };
    expect(await host.call('delete_link', { id: await createLink() })).toMatchObject(byForm);
    expect(host.opened).toEqual([]);
  });

  test('a user who closes the form has not declined: the next call asks again', async () => {
    let count = 0;
    const onForm = async () => {
      count += 1;
      await wait(READ_MS);
      return count === 1 ? { action: 'cancel' } : APPROVE;
    };
    const host = await openClient({ kind, onForm });
    const id = await createLink();
    expect(await host.call('delete_link', { id })).toMatchObject({ done: false, outcome: 'dismissed' });
    expect(await host.call('delete_link', { id })).toMatchObject({ deleted: true });
  });

  test('a decline on the form or page also applies to reworded calls', async () => {
    for (const more of [
      { onForm: async () => wait(READ_MS).then(() => ({ action: 'decline' })) },
      { onPage: 'deny' as const },
    ]) {
      const host = await openClient({ kind, ...more });
      expect(await host.call('create_link', { document_id: 'd1' })).toMatchObject({ done: false, outcome: 'declined' });
      for (const fields of [{ name: 'try 1' }, { name: 'try 2', note: 'x' }, { email_required: false }])
        expect(await host.call('create_link', { document_id: ' d1', fields })).toMatchObject({ outcome: 'declined' });
      const open = { document_id: 'd1', email_required: false };
      expect(await host.call('share_document', open)).toMatchObject({ outcome: 'declined' });
      expect(sandbox.log.entries().filter(({ method }) => method === 'POST')).toEqual([]);
    }
  });
});

describe.each(BOTH_ERAS)('a host of %s that opens URLs', (kind) => {
  const mode = 'url';
  const answerAfter = (ms: number, action: string) => async () => wait(ms).then(() => ({ action }));

  test.each(['accept', 'decline', 'cancel'])('and sends %s in 5 ms showed no form: a browser opens', async (action) => {
    const host = await openClient({ kind, mode, onForm: answerAfter(5, action), onPage: 'approve' });
    const id = await createLink();
    expect(await host.call('delete_link', { id })).toMatchObject(BY_PAGE);
    expect(host.opened).toHaveLength(1);
  });

  test.each([
    ['decline', 'declined'],
    ['cancel', 'dismissed'],
  ])('and sends %s after a user had time to read: %s', async (action, outcome) => {
    const host = await openClient({ kind, mode, onForm: answerAfter(READ_MS, action), onPage: 'approve' });
    expect(await host.call('delete_link', { id: await createLink() })).toMatchObject({ done: false, outcome });
    expect([deletes(), host.opened]).toEqual([0, []]);
  });

  test('and has shown the page before is not said to show no questions, and can show it again', async () => {
    const answers = [answerAfter(READ_MS, 'cancel'), answerAfter(READ_MS, 'accept'), answerAfter(5, 'accept')];
    let url = '';
    const onForm: HostBehaviour['onForm'] = async (question) => {
      url = question.url;
      return answers.shift()?.() ?? wait(4 * READING_MS).then(() => APPROVE);
    };
    const host = await openClient({ kind, mode, onForm, pageWaitMs: READ_MS + 250 });
    const id = await createLink();
    for (const outcome of ['dismissed', 'pending', 'pending'])
      expect(await host.call('delete_link', { id })).toMatchObject({ done: false, outcome });
    await decide(url, 'approve');
    expect(await host.call('delete_link', { id })).toMatchObject(BY_PAGE);
  });
});

test('a decision on the page ends the wait for a host that has not said whether it showed the URL', async () => {
  const onForm: HostBehaviour['onForm'] = async ({ url }) => {
    await decide(url, 'approve');
    return new Promise<Json>(() => undefined);
  };
  const host = await openClient({ mode: 'url', onForm, onPage: 'deny' });
  expect(await host.call('delete_link', { id: await createLink() })).toMatchObject(BY_PAGE);
  expect(host.opened).toEqual([]);
});

test('an approval on the page runs after a restart, without another page', async () => {
  const env = { DOCSHARE_API_KEY: sandbox.key() };
  const state = createFolderForTest('docshare-approved-');
  const opened: string[] = [];
  const openBrowser = async (url: string) => opened.push(url) > 0;
  const args = { id: await createLink() };
  const open = () => openHostOnSandbox(sandbox, { env, state, openBrowser, waits: { pageWaitMs: 50 } });
  const host = await open();
  expect((await host.call('delete_link', args)).data).toMatchObject({ outcome: 'pending' });
  await decide(opened[0] ?? '', 'approve');
  await host.close();
  expect((await (await open()).call('delete_link', args)).data).toMatchObject(BY_PAGE);
  expect(opened).toHaveLength(1);
});

test('with --confirm always the form shows the values, and a decline applies to other values of the same fields', async () => {
  const questions: string[] = [];
  const host = await openClient({
    args: ['--confirm', 'always'],
    onForm: async ({ message }) => {
      questions.push(message);
      return wait(READ_MS).then(() => ({ action: 'decline' }));
    },
  });
  for (const name of ['Ann', 'Ann B.', 'A.'])
    expect(await host.call('create_contact', { fields: { name } })).toMatchObject({ outcome: 'declined' });
  await host.call('update_link', { id: await createLink(), fields: { name: 'B' } });
  expect(questions).toEqual([
    expect.stringMatching(/^Create contact: name: "Ann"\./),
    expect.stringMatching(/^Update link for "[^"]+": name: "B"\./),
  ]);
});

test.each([1500, 5000])('a host that drops forms gets the page with its second call, %i ms later', async (ms) => {
  const id = await createLink();
  let now = Date.now();
  const docshare = await closeAfterTest(createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url }));
  const state = createStateProvider({ folder: undefined, onFailure: () => undefined, now: () => now });
  const pages = await closeAfterTest(
    createLocalConfirmationPages({
      state,
      openBrowser: async (url) => {
        void wait(50).then(() => decide(url, 'approve'));
        return true;
      },
    }),
  );
  const host = await closeAfterTest(
    openRaw({
      client: docshare,
      confirm: 'auto',
      forms: true,
      now: () => now,
      sharedState: state,
      confirmationPage: pages.forAccount,
    }),
  );
  expect(await host.call('delete_link', { id })).toMatchObject({ resultType: 'input_required' });
  // The host never responds, so the model calls again.
  now += ms;
  const second = await host.call('delete_link', { id });
  expect(second['structuredContent']).toMatchObject(BY_PAGE);
});

test('above twenty actions per hour only the page can approve, and without a browser nothing happens', async () => {
  const onForm = async () => wait(READ_MS).then(() => APPROVE);
  const host = await openClient({ onForm, args: ['--actions-per-hour', '2'] });
  const ids = await Promise.all([createLink(), createLink(), createLink(), createLink()]);
  // Also if the questions are open at the same time.
  const results = await Promise.all(ids.slice(1).map((id) => host.call('delete_link', { id })));
  expect(results.map((data) => data['outcome'] ?? data['approved_by']).toSorted()).toEqual([
    'form',
    'form',
    'over_budget',
  ]);
  expect(await host.call('delete_link', { id: ids[0] })).toMatchObject({ done: false, outcome: 'over_budget' });
  expect(deletes()).toBe(2);
  const withPage = await openClient({ onForm, onPage: 'approve', args: ['--actions-per-hour', '1'] });
  for (let count = 0; count < 2; count++)
    expect(await withPage.call('delete_link', { id: await createLink() })).toMatchObject({ deleted: true });
  expect(withPage.opened).toHaveLength(1);
});
