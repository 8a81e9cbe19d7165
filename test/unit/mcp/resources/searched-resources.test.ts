/** A resource that is searched for in a list: found, not there, or behind what is searched. */
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import type { Account } from '../../../../mcp/account/account.ts';
import { readResource } from '../../../../mcp/resources/read-resource.ts';
import type { ResourceKind } from '../../../../mcp/resources/resource-kinds.ts';
import { texts } from '../../../mcp/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

const kind = standIn<ResourceKind>({ group: 'links' });

async function read(id: string, count: number) {
  async function* list() {
    for (let at = 0; at < count; at += 1) yield { id: `l${at}` };
  }
  const account = standIn<Account>({ client: async () => ({ links: { list } }), secrets: [] });
  const mcp = standIn<Parameters<typeof readResource>[0]['mcp']>({
    mcpReq: { signal: new AbortController().signal, _meta: {} },
  });
  const uri = new URL(`docshare://links/${id}`);
  return readResource({ kind, uri, id, account, mcp, shutdown: undefined });
}

test('an object that a list holds is read', async () => {
  const { contents } = await read('l5', 10);
  expect(contents[0]).toMatchObject({ mimeType: 'application/json' });
});

test('an object that the whole list lacks does not exist', async () => {
  await expect(read('none', 999)).rejects.toBeInstanceOf(ResourceNotFoundError);
});

test('an object behind the first 1,000 may exist', async () => {
  const error = await read('none', 1000).catch((failure: unknown) => failure);
  expect(error).not.toBeInstanceOf(ResourceNotFoundError);
  expect(String(error)).toContain(texts.amongFirst1000List);
});
