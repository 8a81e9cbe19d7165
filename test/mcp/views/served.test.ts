import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge';
import { expect, onTestFinished, test } from 'vitest';
import { closeAfterTest } from '../../support/cleanup.ts';

async function openBuilt(args: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/mcp/main.js', '--sandbox', ...args],
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

test('the built server serves each linked view as one page with its own type', async () => {
  const client = await closeAfterTest(openBuilt());
  const { tools } = await client.listTools();
  const linked = tools.flatMap((tool) => {
    const uri = getToolUiResourceUri(tool);
    return uri === undefined ? [] : [[tool.name, uri] as const];
  });
  expect(linked).toEqual([
    ['list_documents', 'ui://pick'],
    ['list_agreements', 'ui://board'],
    ['list_contacts', 'ui://pick'],
    ['get_visit', 'ui://reading'],
    ['get_room_analytics', 'ui://reading'],
    ['report_link', 'ui://reading'],
    ['find', 'ui://pick'],
  ]);
  for (const uri of new Set(linked.map(([, uri]) => uri))) {
    const { contents } = await client.readResource({ uri });
    expect(contents).toHaveLength(1);
    expect(contents[0]).toMatchObject({ uri, mimeType: 'text/html;profile=mcp-app' });
    expect(contents[0]).toHaveProperty('text', expect.stringMatching(/^<!doctype html>.*<\/html>$/s));
  }
});

test('a menu has only the views of its tools', async () => {
  const { resources } = await (await closeAfterTest(openBuilt(['--groups', 'links']))).listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['ui://pick', 'ui://confirm']);
});
