import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { operations } from '../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { callEveryTool, createFolder } from '../support/mcp-every-tool.ts';
import { type HostOptions, KINDS, openHostOnSandbox } from '../support/mcp-host.ts';
import { DIFFERENT_PRESETS } from '../support/presets-without-waits.ts';

const TOOLS = `
list_documents get_document list_document_pages upload_document list_links create_link update_link delete_link
list_rooms create_room add_room_folder add_room_file add_room_group set_room_permissions
list_agreements create_agreement send_agreement download_agreement list_proposals create_proposal send_proposal
list_templates get_template create_template update_template delete_template
list_contacts create_contact update_contact add_contact_tags
get_link_analytics list_link_visitors get_visit get_room_analytics list_webhooks create_webhook delete_webhook
get_subscription list_invoices get_usage`
  .trim()
  .split(/\s+/);

const folder = createFolder();
const sandbox = await closeAfterAll(createSandbox());

/** Calls every tool, and expects each call to succeed and all together to reach every endpoint. */
async function expectEveryEndpoint(service: Sandbox, options: HostOptions) {
  service.log.clear();
  const host = await openHostOnSandbox(service, { ...options, args: ['--confirm', 'off', '--files', folder] });
  const outcomes = await callEveryTool(host, {
    visited: async (id) => void (await service.visit(id, { email: 'v@example.com', pages: [3, 4] })),
  });
  expect([...outcomes].filter(([, { isError }]) => isError).map(([name, { text }]) => [name, text])).toEqual([]);
  const reached = new Set(service.log.entries().map(({ operation }) => operation));
  expect(operations.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  return { host, outcomes };
}

describe.each(KINDS)('%s', (kind) => {
  test('lists every tool, and calling them all reaches every endpoint', async () => {
    const { host, outcomes } = await expectEveryEndpoint(sandbox, { kind, ownProcess: kind === 'sdk 2.x modern' });
    expect(host.protocol).toBe(kind === 'sdk 2.x modern' ? '2026-07-28' : '2025-11-25');
    expect((await host.tools()).map(({ name }) => name)).toEqual(expect.arrayContaining(TOOLS));
    expect([...outcomes.keys()].sort()).toEqual([...TOOLS].sort());
  });
});

describe.each(DIFFERENT_PRESETS)('a service of the shape %s', (_, profile) => {
  test('can be reached at every endpoint too', { timeout: 120_000 }, async () => {
    await expectEveryEndpoint(await closeAfterTest(createSandbox({ profile, data: 'empty' })), {});
  });
});
