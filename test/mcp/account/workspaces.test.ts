/** One server for several workspaces: each call names one, and nothing crosses. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeAfterTest } from '../../support/cleanup.ts';
import { answerForms, openHost } from '../../support/mcp-host.ts';
import { assemble } from '../../support/mcp-servers.ts';
import { readJsonLines } from '../../support/read-json-lines.ts';
import { countLinks, openTwoWorkspaces } from '../../support/two-workspaces.ts';

async function openTwo() {
  const { addKey, baseUrl, worlds } = await closeAfterTest(openTwoWorkspaces());
  const env = { DOCSHARE_BASE_URL: baseUrl, DOCSHARE_API_KEY__ACME: addKey(0), DOCSHARE_API_KEY__beta: addKey(1) };
  return { worlds, env };
}

test('each tool names the workspaces, and a call without one does nothing', async () => {
  const { env } = await openTwo();
  const host = await closeAfterTest(openHost({ env }));
  for (const { name, inputSchema } of await host.tools())
    expect([name, inputSchema]).toMatchObject([
      name,
      { properties: { workspace: { enum: ['acme', 'beta'] } }, required: expect.arrayContaining(['workspace']) },
    ]);
  for (const workspace of [undefined, 'gamma', 7]) {
    const { isError, error } = await host.call('list_links', workspace === undefined ? {} : { workspace });
    expect([isError, error]).toEqual([true, expect.objectContaining({ code: 'invalid_arguments' })]);
    expect(error['message']).toMatch(/acme, beta/);
  }
  expect((await host.call('whoami', { workspace: 'beta' })).data).toMatchObject({
    workspace: 'beta',
    workspaces: ['acme', 'beta'],
  });
});

test('of 200 mixed calls none reaches the wrong workspace, and each question and audit line names its own', async () => {
  const { env, worlds } = await openTwo();
  const audit = join(mkdtempSync(join(tmpdir(), 'docshare-workspaces-')), 'audit.jsonl');
  const { questions, form } = answerForms();
  const host = await openHost({ env, args: ['--audit', audit, '--actions-per-hour', '200'], form });
  onTestFinished(() => host.close());
  const [before = 0] = worlds.map(countLinks);
  const [document] = worlds[0]?.snapshot().state.documents.keys() ?? [];
  const created = { acme: 0, beta: 0 };
  for (let round = 0; round < 100; round++) {
    const workspace = round % 3 === 0 ? 'acme' : 'beta';
    const writes = round % 10 === 0;
    if (writes) created[workspace] += 1;
    const results = await Promise.all([
      writes
        ? host.call('create_link', { workspace, document_id: String(document), email_required: true })
        : host.call('get_document', { workspace, id: String(document) }),
      host.call('list_contacts', { workspace: workspace === 'acme' ? 'beta' : 'acme', limit: 1 }),
    ]);
    expect(results.map(({ data }) => data['workspace'])).toEqual([workspace, workspace === 'acme' ? 'beta' : 'acme']);
  }
  expect(worlds.map((world) => countLinks(world) - before)).toEqual([created.acme, created.beta]);

  const [link] = worlds[1]?.snapshot().state.links.keys() ?? [];
  await host.call('delete_link', { workspace: 'beta', id: String(link) });
  expect(worlds.map(({ snapshot }) => snapshot().state.links.has(String(link)))).toEqual([true, false]);
  expect(questions).toHaveLength(1);
  expect(questions[0]).toMatch(/^beta: Delete link/);
  const lines = readJsonLines(audit);
  expect(lines.filter(({ workspace }) => workspace === 'acme')).toHaveLength(2 * created.acme);
  expect(lines.filter(({ workspace }) => workspace === 'beta')).toHaveLength(2 * created.beta + 2);
});

test.each([
  [{ DOCSHARE_API_KEY__a: 'key_one_0123456789', DOCSHARE_API_KEY__A: 'key_two_0123456789' }, /two keys/],
  [{ DOCSHARE_API_KEY__a: 'key_one_0123456789', DOCSHARE_API_KEY__b: 'key_one_0123456789' }, /same key/],
  [{ DOCSHARE_API_KEY: 'key_one_0123456789', DOCSHARE_API_KEY__beta: ' ' }, /beta is empty/],
  [{ DOCSHARE_API_KEY: 'key_one_0123456789', 'DOCSHARE_API_KEY__be ta': 'key_two_0123456789' }, /needs a name/],
])('%j does not start', async (env, problem) => {
  await expect(assemble([], { DOCSHARE_BASE_URL: 'http://127.0.0.1:1/api/v1', ...env })).rejects.toThrow(problem);
});
