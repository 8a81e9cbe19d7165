import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createClient, verifyEvent } from '../../../src/index.ts';
import { openLoopback } from '../../support/mcp-loopback.ts';

describe('IDs that a JavaScript number would round', () => {
  const IDS = ['900719925474099200', '900719925474099201', '900719925474099202'];

  test('are exact in objects', async () => {
    const service = await openLoopback(({ method, query }) => {
      if (method === 'DELETE') return { status: 204 };
      const at = Number(query.get('cursor') ?? 0);
      const next = at + 1 < IDS.length ? `"${at + 1}"` : 'null';
      return { text: `{"data":[{"id":${IDS[at]}}],"next_cursor":${next}}` };
    });
    const client = createClient({ apiKey: 'key_1234567890', baseUrl: service.url });
    const links = await client.links.list().collect();
    expect(links.map(({ id }) => id)).toEqual(IDS);
    await client.links.delete({ id: String(links[1]?.['id']) });
    expect(service.requests.at(-1)?.path).toBe(`/links/${IDS[1]}`);
    await client.close();
    await service.close();
  });

  test('are exact in events', () => {
    const read = (id: string) => {
      const body = `{"id":${id},"type":"link.viewed","data":{"link_id":${id}}}`;
      const headers = { 'x-signature': createHmac('sha256', 'secret').update(body).digest('hex') };
      const event = verifyEvent(body, headers, 'secret');
      return [event.id, event.data];
    };
    expect(IDS.map(read)).toEqual(IDS.map((id) => [id, { link_id: id }]));
  });
});
