import { expect, test } from 'vitest';
import { closeAfterTest } from '../../support/cleanup.ts';
import { type Json, KINDS, openHost } from '../../support/mcp-host.ts';
import { initialize, toolCall } from '../../support/mcp-http.ts';
import { openRawStdio } from '../../support/mcp-raw-stdio.ts';

const content = Buffer.from('%PDF-1.4 made').toString('base64');
const SAFE = { name: 'Deal / room?' };

test.each(KINDS)('%s: a created object is attached with a readable URI', async (kind) => {
  const host = await closeAfterTest(openHost({ kind, args: ['--sandbox'] }));
  const room = await host.call('create_room', { fields: SAFE });
  const id = String(room.data['id']);
  expect(room.attached).toEqual([
    {
      type: 'resource_link',
      uri: `docshare://rooms/${id}`,
      name: SAFE.name,
      title: 'Room',
      description: 'A data room.',
      mimeType: 'application/json',
    },
  ]);
  const document = await host.call('upload_document', { content, name: 'Made.pdf' });
  expect(document.attached).toMatchObject([{ uri: `docshare://documents/${document.data['id']}` }]);
  const link = await host.call('share_document', { document_id: document.data['id'] });
  expect(link.attached).toMatchObject([{ uri: `docshare://links/${link.data['id']}` }]);
  // Folders have no room URI, contacts are no resources, and what is read, changed or previewed is not new.
  for (const [tool, args] of [
    ['add_room_folder', { id, fields: { name: 'Legal' } }],
    ['create_contact', { fields: { email: 'a@example.com' } }],
    ['list_rooms', {}],
    ['create_link', { document_id: document.data['id'] }],
  ] as const) {
    const { attached, isError } = await host.call(tool, args as Json);
    expect({ tool, attached, isError }).toEqual({ tool, attached: [], isError: false });
  }
});

test('a menu without the list of the group attaches nothing', async () => {
  const host = await closeAfterTest(openHost({ args: ['--sandbox', '--tools', 'create_room'] }));
  const { attached, isError } = await host.call('create_room', { fields: SAFE });
  expect({ attached, isError }).toEqual({ attached: [], isError: false });
});

test.each([
  ['2025-03-26', 1],
  ['2025-06-18', 2],
])('a host of revision %s gets %i parts, and an icon in a format that every host supports', async (revision, parts) => {
  const host = await closeAfterTest(openRawStdio(['--sandbox']));
  host.send(initialize({}, revision));
  const { serverInfo, protocolVersion } = (await host.next()).result as Json;
  expect(protocolVersion).toBe(revision);
  host.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  host.send(toolCall(2, 'create_room', { fields: SAFE }));
  expect((await host.next()).result?.['content']).toHaveLength(parts);
  const [icon] = (serverInfo as { icons: { src: string; mimeType: string }[] }).icons;
  const png = Buffer.from(icon?.src.replace(/^data:image\/png;base64,/, '') ?? '', 'base64');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
});
