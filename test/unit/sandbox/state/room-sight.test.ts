/** Which files of an emulated room a visitor sees: what its matrix grants, the nearest entry first, and nothing else. */
import { expect, test } from 'vitest';
import type { RoomRecord } from '../../../../sandbox/state/records.ts';
import { getVisibleFiles } from '../../../../sandbox/state/room-visibility.ts';
import { texts } from '../../../sandbox/texts.ts';
import { createStub } from '../../../support/create-stub.ts';

const ROOM = {
  folders: [
    { id: 'legal', parent_id: null },
    { id: 'drafts', parent_id: 'legal' },
  ],
  files: [
    { id: 'f1', document_id: 'd1', folder_id: null },
    { id: 'f2', document_id: 'd2', folder_id: 'legal' },
    { id: 'f3', document_id: 'd3', folder_id: 'drafts' },
  ],
  groups: [
    { id: 'buyers', emails: ['Ann@a.test'] },
    { id: 'others', emails: ['ann@a.test', 'bob@a.test'] },
  ],
};
const whole = { group_id: 'buyers', access: 'view' };
const ALL = ['f1', 'f2', 'f3'];

test.each<[string, object, string[]]>([
  ['no matrix: whoever comes', {}, ALL],
  ['an empty one: nobody', { permissions: [] }, []],
  ['one that is no list: nobody', { permissions: 'all' }, []],
  ['the whole room', { permissions: [whole] }, ALL],
  ['the whole room, without a word for access', { entries: [{ group_id: 'buyers' }] }, ALL],
  ['another group', { permissions: [{ ...whole, group_id: 'sellers' }] }, []],
  [
    'a folder that is closed, and what is below it',
    { permissions: [whole, { ...whole, folder_id: 'legal', access: 'none' }] },
    ['f1'],
  ],
  [
    'a nearer folder that is open again',
    {
      permissions: [
        whole,
        { ...whole, folder_id: 'legal', access: 'No_Access' },
        { ...whole, folder_id: 'drafts', access: 'download' },
      ],
    },
    ['f1', 'f3'],
  ],
  [
    texts.fileOpenClosedFolder,
    {
      permissions: [
        { ...whole, folder_id: 'legal', access: 'hidden' },
        { ...whole, file_id: 'f2' },
      ],
    },
    ['f2'],
  ],
  [
    'a document that is closed in an open room',
    { permissions: [whole, { ...whole, document_id: 'd1', can_view: false, access: 'deny' }] },
    ['f2', 'f3'],
  ],
  ['the last of two words about one thing', { permissions: [whole, { ...whole, access: 'none' }] }, []],
  [
    'any of several groups that grants',
    {
      permissions: [
        { ...whole, access: 'none' },
        { ...whole, group_id: 'others', folder_id: 'drafts' },
      ],
    },
    ['f3'],
  ],
])('of %s', (_, permissions, seen) => {
  const room = createStub<RoomRecord>({ ...ROOM, permissions });
  const files = getVisibleFiles(room, { email: 'ANN@a.test', link: { group_id: null } });
  expect(files.map(({ id }) => id)).toEqual(seen);
});

test('who is in no group sees what the group of the link sees, and else nothing', () => {
  const room = createStub<RoomRecord>({ ...ROOM, permissions: { permissions: [whole] } });
  const seen = (email: string | null, group_id: string | null) =>
    getVisibleFiles(room, { email, link: { group_id } }).map(({ id }) => id);
  expect(seen('zoe@a.test', null)).toEqual([]);
  expect(seen(null, 'buyers')).toEqual(ALL);
  expect(seen(null, 'sellers')).toEqual([]);
});
