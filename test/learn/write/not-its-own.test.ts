import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createFolderForTest } from '../../support/cleanup.ts';
import { listenForFile } from '../../support/listen.ts';
import { learnEnvironment, runLearnCommand } from '../../support/run-learn.ts';

/** Its own service, whose behavior each test sets. */
interface Habits {
  /** Creating a link returns the existing link of the document. */
  readonly oneLinkADocument?: true;
  /** A document contains the name of its newest link. */
  readonly documentsTellOfLinks?: true;
  /** Every DELETE returns 204, although (`untruly`) nothing is deleted or (`truly`) the object may not exist. */
  readonly saysYes?: 'untruly' | 'truly';
  /** Creating an object returns no ID. */
  readonly silent?: true;
}
type Row = Record<string, unknown> & { id: string };

const REMOVABLE = ['links', 'templates', 'webhooks'];
let habits: Habits = {};
let tables: Record<string, Row[]> = {};
let removals: string[] = [];
let folder = '';
let count = 0;

const server = createServer(async (request, response) => {
  const { status, body } = answerTo(request, parse(await text(request)));
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(status === 204 ? undefined : JSON.stringify(body));
});
const origin = await listenForFile(server);

function parse(body: string): Record<string, unknown> {
  if (body.startsWith('{')) return JSON.parse(body);
  const name = /name="name"\r\n\r\n([^\r]*)/.exec(body)?.[1];
  return name === undefined ? {} : { name };
}

const make = (group: string, row: object) => {
  count += 1;
  const made = { ...row, id: `${group.slice(0, 3)}x${count}` };
  tables[group]?.push(made);
  return made;
};
const all = () => Object.values(tables).flatMap((rows) => rows.map(({ id }) => id));

function answerTo({ method, url = '' }: IncomingMessage, sent: Record<string, unknown>) {
  const { pathname, searchParams } = new URL(url, origin);
  if (!pathname.startsWith('/api/v1/')) return { status: 200, body: {} };
  const [group = '', id, last] = pathname.slice(8).split('/');
  const rows = tables[group];
  if (!rows) return { status: 404, body: { error: 'no route' } };
  if (method === 'DELETE') return removal(group, id ?? '');
  if (id === 'uploads') return last ? finalized() : { status: 200, body: session() };
  const row = rows.find((one) => one.id === id);
  if (id !== undefined && !row) return { status: 404, body: { error: `no ${group}` } };
  if (method === 'GET' && row) return { status: 200, body: row };
  if (method === 'GET') return page(rows, Number(searchParams.get('cursor') ?? 0));
  if (Object.keys(sent).length === 0 && group !== 'documents') return { status: 422, body: { error: 'empty' } };
  if (row) return { status: 200, body: Object.assign(row, sent) };
  return created(group, sent);
}

function page(rows: readonly Row[], from: number) {
  const next = from + 2 < rows.length ? String(from + 2) : null;
  return { status: 200, body: { data: rows.slice(from, from + 2), next_cursor: next } };
}

function created(group: string, sent: Record<string, unknown>) {
  const shown = tables['documents']?.find((one) => one.id === sent['document_id']);
  if (group === 'links' && habits.documentsTellOfLinks && shown) shown['last_link'] = { name: sent['name'] };
  if (group === 'links' && habits.documentsTellOfLinks && shown) shown['last_link_name'] = sent['name'];
  const old = tables['links']?.find((one) => one['document_id'] === shown?.id);
  if (group === 'links' && habits.oneLinkADocument && old) return { status: 200, body: Object.assign(old, sent) };
  const row = make(group, sent);
  return { status: 201, body: habits.silent ? { ok: true } : row };
}

function removal(group: string, id: string) {
  const rows = tables[group] ?? [];
  const at = rows.findIndex((one) => one.id === id);
  if (habits.saysYes === 'untruly') return { status: 204, body: {} };
  if (!REMOVABLE.includes(group) && group !== 'documents') return { status: 405, body: { error: 'no' } };
  if (at < 0) return { status: habits.saysYes ? 204 : 404, body: { error: `no ${group}` } };
  removals.push(id);
  rows.splice(at, 1);
  return { status: 204, body: {} };
}

const session = () => ({ uploadUrl: `${origin}/store`, headers: {}, storageKey: 'k', token: 't' });
const finalized = () => ({ status: 200, body: { document_id: make('documents', { name: 'up' }).id } });

/** Runs the learner. Returns its exit code and output. Fails if any object of the account is gone. */
async function learn(given: Habits, args: readonly string[]) {
  habits = given;
  removals = [];
  tables = Object.fromEntries(
    'documents links rooms agreements proposals templates contacts webhooks'.split(' ').map((one) => [one, []]),
  );
  for (const group of Object.keys(tables)) for (let n = 0; n < 5; n += 1) make(group, { name: `Own ${n}` });
  // Not on the first page of the list.
  Object.assign(tables['links']?.at(-1) ?? {}, {
    document_id: tables['documents']?.[0]?.id,
    created_at: '2020-01-01T00:00:00Z',
  });
  const before = all();
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = createFolderForTest('learn-own-');
  const env = learnEnvironment(`${origin}/api/v1`, `key-${count}`);
  const { code, printed } = await runLearnCommand(['--out', folder, ...args], { env });
  expect(all()).toEqual(expect.arrayContaining(before));
  return { code, printed, more: all().length - before.length };
}

test('an existing link that is returned by a creation is never deleted', async () => {
  expect(await learn({ oneLinkADocument: true }, ['--write', '--only', 'writes'])).toMatchObject({ more: 0 });
});

test('a document that contains the name of the throwaway link is not deleted', async () => {
  const given: Habits = { documentsTellOfLinks: true, silent: true };
  const { more } = await learn(given, ['--write', '--only', 'writes,uploads']);
  expect(removals.length).toBeGreaterThan(1);
  expect(more).toBe(0);
});

test('a webhook that was created without an ID is created only once', async () => {
  const args = ['--write', '--only', 'webhooks', '--webhook-url', 'https://hooks.test'];
  expect(await learn({ silent: true }, args)).toMatchObject({ more: 0 });
  expect(removals).toHaveLength(1);
});

test('an upload session that creates a second document leaves neither of them', async () => {
  expect(await learn({}, ['--write', '--only', 'uploads'])).toMatchObject({ code: 0, more: 0 });
});

test('a 204 for a DELETE of an unknown ID proves nothing, and a DELETE without effect is reported', async () => {
  expect(await learn({ saysYes: 'truly' }, ['--write'])).toMatchObject({ code: 0, more: 0 });
  const { code, printed, more } = await learn({ saysYes: 'untruly' }, ['--write', '--only', 'writes']);
  expect(more).toBe(3);
  expect(code).toBe(2);
  expect(printed.match(/Could not remove one of/g)).toHaveLength(3);
});
