/**
 * The files that a visitor sees in an emulated room: those that its matrix grants, the nearest entry first, and no
 * others.
 */
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
  ['everybody without a matrix', {}, ALL],
  ['nobody with an empty matrix', { permissions: [] }, []],
  ['nobody with an invalid matrix', { permissions: 'all' }, []],
  ['a group with the whole room', { permissions: [whole] }, ALL],
  ['a group with an entry without access', { entries: [{ group_id: 'buyers' }] }, ALL],
  ['a group without an entry', { permissions: [{ ...whole, group_id: 'sellers' }] }, []],
  [
    'a group with a closed folder, including subfolders',
    { permissions: [whole, { ...whole, folder_id: 'legal', access: 'none' }] },
    ['f1'],
  ],
  [
    'a group with an open folder in a closed one',
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
    'a group with a closed document in an open room',
    { permissions: [whole, { ...whole, document_id: 'd1', can_view: false, access: 'deny' }] },
    ['f2', 'f3'],
  ],
  [
    'a group with two entries for the same room, of which the last counts',
    { permissions: [whole, { ...whole, access: 'none' }] },
    [],
  ],
  [
    'a visitor in several groups, of which one grants access',
    {
      permissions: [
        { ...whole, access: 'none' },
        { ...whole, group_id: 'others', folder_id: 'drafts' },
      ],
    },
    ['f3'],
  ],
])('the files are right for %s', (_, permissions, seen) => {
  const room = createStub<RoomRecord>({ ...ROOM, permissions });
  const files = getVisibleFiles(room, { email: 'ANN@a.test', link: { group_id: null } });
  expect(files.map(({ id }) => id)).toEqual(seen);
});

test('a visitor without a group sees what the group of the link sees, otherwise nothing', () => {
  const room = createStub<RoomRecord>({ ...ROOM, permissions: { permissions: [whole] } });
  const seen = (email: string | null, group_id: string | null) =>
    getVisibleFiles(room, { email, link: { group_id } }).map(({ id }) => id);
  expect(seen('zoe@a.test', null)).toEqual([]);
  expect(seen(null, 'buyers')).toEqual(ALL);
  expect(seen(null, 'sellers')).toEqual([]);
});
