import type { CustomFields, FolderRecord, LinkRecord, RoomFileRecord, RoomRecord } from './records.ts';

/** Values of a matrix that deny access; all others grant it. */
const NO_ACCESS_VALUES = new Set(['none', 'hidden', 'no', 'deny', 'denied', 'false', 'no_access']);

/**
 * Returns the files of a room that a visitor sees. Without a matrix, all. Otherwise it grants access to the
 * groups with the visitor's email, or to the link's group. For one group the closest entry counts (file,
 * folder, parent folders, room); access by any group is enough.
 */
export function getVisibleFiles(
  room: RoomRecord,
  visitor: { email: string | null; link: Pick<LinkRecord, 'group_id'> },
): RoomFileRecord[] {
  const entries = getPermissionEntries(room.permissions);
  if (entries === null) return room.files;
  const visitorEmail = visitor.email?.toLowerCase();
  const groups = room.groups.filter(
    ({ id, emails }) => id === visitor.link.group_id || emails.some((email) => email.toLowerCase() === visitorEmail),
  );
  return room.files.filter((file) =>
    groups.some((group) =>
      isGranted(
        room,
        file,
        entries.filter(({ group_id }) => String(group_id) === group.id),
      ),
    ),
  );
}

/** Returns a folder and those that contain it, innermost first. It ends, because each was created in an older one. */
export function getFolderPath({ folders }: RoomRecord, folderId: string | null): readonly FolderRecord[] {
  const path: FolderRecord[] = [];
  const find = (id: string | null) => folders.find((folder) => folder.id === id);
  for (let folder = find(folderId); folder; folder = find(folder.parent_id)) path.push(folder);
  return path;
}

/** Returns the list of entries under any name; null without a matrix. */
function getPermissionEntries(permissions: CustomFields): CustomFields[] | null {
  const lists = Object.values(permissions).filter((value) => Array.isArray(value));
  if (lists.length === 0) return Object.keys(permissions).length === 0 ? null : [];
  return lists.flat().filter((entry): entry is CustomFields => typeof entry === 'object' && entry !== null);
}

function isGranted(room: RoomRecord, file: RoomFileRecord, entries: readonly CustomFields[]): boolean {
  const findEntry = (name: string, id: string) => entries.findLast((entry) => String(entry[name] ?? '') === id);
  const fileEntry = findEntry('file_id', file.id) ?? findEntry('document_id', file.document_id);
  if (fileEntry) return grantsAccess(fileEntry);
  for (const { id } of getFolderPath(room, file.folder_id)) {
    const found = findEntry('folder_id', id);
    if (found) return grantsAccess(found);
  }
  const roomEntry = entries.findLast((entry) => !TARGET_FIELDS.some((name) => entry[name] !== undefined));
  return roomEntry !== undefined && grantsAccess(roomEntry);
}

const TARGET_FIELDS = ['file_id', 'document_id', 'folder_id'];

/** An entry without an access value grants access. */
function grantsAccess(entry: CustomFields): boolean {
  const access = entry['access'] ?? entry['permission'] ?? entry['level'] ?? entry['can_view'] ?? true;
  return !NO_ACCESS_VALUES.has(String(access).toLowerCase());
}
