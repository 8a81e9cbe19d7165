/** A list that a step reads in part is never taken for the whole list: what was not found may exist. */
import { expect, test } from 'vitest';
import type { Trigger } from 'zapier-platform-core';
import { createZapClient } from '../../../../zapier/platform/with-client.ts';
import { document } from '../../../../zapier/records/kinds.ts';
import { getReadItems, readPages } from '../../../../zapier/records/read-list.ts';
import { roomPartField } from '../../../../zapier/records/room-parts.ts';
import { listInvoices } from '../../../../zapier/searches/list-invoices.ts';
import { defineDropdownTrigger, defineNewRecordTrigger } from '../../../../zapier/triggers/define-list-trigger.ts';
import { findOnFirstPage } from '../../../../zapier/triggers/event-lookup.ts';
import { zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

/** The service says that more exists, and gives no way to it. */
const CUT = { json: { data: [{ id: 'a', name: 'A' }], next: '/api/v1/other?page=2' } };
const documentList = defineDropdownTrigger(document);
const REASON = texts.nextPageAddressPoints;
const step = () => zapStep(() => CUT);

const performOf = ({ operation }: Trigger) => ('perform' in operation ? operation.perform : undefined);

const withClientOf = <Result>(question: (client: ReturnType<typeof createZapClient>) => Promise<Result>) =>
  step().run<Result>((z: never, { authData }: { authData: Record<string, string> }) =>
    question(createZapClient(z, authData)),
  );

test('an incomplete list has its items only as read items, with the reason', async () => {
  const reading = await withClientOf((client) => readPages((query, options) => client.rooms.list(query, options)));
  expect(reading).toEqual({ kind: 'part', readItems: [{ id: 'a', name: 'A' }], reason: REASON });
  expect(getReadItems(reading)).toHaveLength(1);
});

test('a first page that is not the whole list proves no absence', async () => {
  const found = await withClientOf((client) => findOnFirstPage(client.links.list(), { id: 'b', resource: 'link' }));
  expect(found).toEqual({ kind: 'not-fully-searched', reason: REASON, read: 1 });
});

test('a drop-down shows what there is, and its next page says that more exists', async () => {
  const { run } = step();
  const perform = performOf(documentList);
  expect(await run(perform, { meta: { page: 0 } as never })).toEqual([{ id: 'a', name: 'A' }]);
  await expect(run(perform, { meta: { page: 1 } as never })).rejects.toThrow('more');
});

test("a room's drop-down of folders is not empty where the room was not found in a part of the list", async () => {
  const { choices } = roomPartField('folders', { key: 'folder', label: 'Folder' });
  const perform = typeof choices === 'object' && 'perform' in choices ? choices.perform : undefined;
  await expect(step().run(perform, { inputData: { room: 'b' } })).rejects.toThrow('more');
});

test('a search through a part fails rather than give nothing', async () => {
  await expect(step().run(listInvoices.operation.perform, { inputData: { status: 'paid' } })).rejects.toThrow('more');
});

test('a poll of a list that is not given whole says so if it has nothing new', async () => {
  const perform = performOf(defineNewRecordTrigger(document, 'New.'));
  await expect(step().run(perform)).rejects.toThrow(texts.couldCheckWholeList);
});
