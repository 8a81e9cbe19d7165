import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, createFolderForFile } from '../../support/cleanup.ts';
import { createDraftAgreement } from '../../support/draft-agreement.ts';
import { answerForms, type HostOptions, openHostOnSandbox, openHostOnService } from '../../support/mcp-host.ts';
import { texts } from '../texts.ts';

const folder = createFolderForFile('docshare-doubt-');
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
beforeEach(() => sandbox.log.clear());
afterEach(() => sandbox.faults.clear());

const writes = () => sandbox.log.entries().filter(({ method }) => method !== 'GET').length;
const open = (options: HostOptions = {}) => openHostOnSandbox(sandbox, options);

describe('after an unknown outcome', () => {
  const args = { fields: { email: 'k@example.com' } };
  const lose = () => sandbox.faults.add({ method: 'POST', when: 'after', cut: 'drop', times: 1 });

  test('the same write is not repeated: the result names a way to check, and a retry needs confirmation', async () => {
    const host = await open();
    lose();
    const { error } = await host.call('create_contact', args);
    const message = expect.stringMatching(/unknown whether.*to check before you try again/);
    expect(error).toMatchObject({ code: 'unknown_outcome', message });
    const { data } = await host.call('create_contact', args);
    expect(data).toMatchObject({ done: false, confirm_token: expect.any(String) });
    expect(data['preview']).toMatch(texts.outcomeUnknownCheckList);
    expect(data['preview']).toContain('k@example.com');
    expect(writes()).toBe(1);
    const { confirm_token } = data;
    expect((await host.call('create_contact', { ...args, confirm_token })).data).toMatchObject({ done: true });
    expect(writes()).toBe(2);
    // The outcome is known again.
    expect((await host.call('create_contact', args)).data).toMatchObject({ done: true });
  });

  test('another server of the same user knows the unknown outcome, and a decline holds', async () => {
    const shared = {
      state: join(folder, 'shared'),
      env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url },
    };
    lose();
    await (await open(shared)).call('create_contact', args);
    const { questions, form } = answerForms({ action: 'decline' });
    const { data } = await (await open({ ...shared, form })).call('create_contact', args);
    expect(data).toMatchObject({ outcome: 'declined' });
    expect(questions).toEqual([expect.stringContaining(texts.itsOutcomeIsUnknown)]);
    expect(writes()).toBe(1);
  });

  test('without confirmation the outcome stays unknown', async () => {
    const host = await open({ args: ['--confirm', 'off'] });
    lose();
    await host.call('create_contact', args);
    const { error } = await host.call('create_contact', args);
    expect(error).toMatchObject({ code: 'unknown_outcome', message: expect.stringContaining('list_contacts') });
    expect(writes()).toBe(1);
  });

  test('a repeated send needs another approval, which names the unknown outcome', async () => {
    const id = await createDraftAgreement(sandbox, { key: sandbox.key() });
    const { questions, form } = answerForms();
    const host = await open({ form });
    sandbox.log.clear();
    lose();
    await host.call('send_agreement', { id });
    expect(writes()).toBe(1);
    await host.call('send_agreement', { id, fields: {} });
    expect(questions).toHaveLength(2);
    expect(questions[0]).not.toContain(texts.itsOutcomeIsUnknown);
    expect(questions[1]).toContain(texts.itsOutcomeIsUnknown);
    expect(writes()).toBe(2);
  });
});

test('a write is recorded as cancelled before its request, and as unknown after it', async () => {
  let held = 0;
  const audit = join(folder, 'audit.jsonl');
  const host = await openHostOnService(
    ({ method }) => {
      if (method === 'GET') return { status: 429, headers: { 'retry-after': '30' }, json: {} };
      held += 1;
      return new Promise<never>(() => undefined);
    },
    { args: ['--confirm', 'off', '--audit', audit] },
  );
  const cancelled = (name: string, args: Record<string, unknown>) => {
    const abort = new AbortController();
    return { call: host.call(name, args, { signal: abort.signal }).catch(() => undefined), abort: () => abort.abort() };
  };
  const sent = cancelled('create_contact', { fields: { email: 'sent@example.com' } });
  while (held === 0) await sleep(10);
  sent.abort();
  await sent.call;
  host.call('get_usage').catch(() => undefined);
  while (!host.requests.some(({ method }) => method === 'GET')) await sleep(10);
  await sleep(100);
  const waiting = cancelled('create_contact', { fields: { email: 'waiting@example.com' } });
  const lines = () => readFileSync(audit, 'utf8').trim().split('\n');
  while (lines().length < 3) await sleep(10);
  waiting.abort();
  await waiting.call;
  while (lines().length < 4) await sleep(10);
  const outcomes = lines().map((line) => JSON.parse(line).outcome);
  expect(outcomes).toEqual(['started', 'unknown_outcome', 'started', 'cancelled']);
  // A write that may have happened is not repeated without approval.
  const mayRepeat = await host.call('create_contact', { fields: { email: 'sent@example.com' } });
  expect(mayRepeat.error).toMatchObject({ code: 'unknown_outcome' });
  expect(host.stderr()).not.toContain('internal');
});
