import type { Custom, LinkRecord, RoomFileRecord, RoomRecord } from './records.ts';

/** Words of a matrix that give no sight of something; all others give it. */
const NO_ACCESS_VALUES = new Set(['none', 'hidden', 'no', 'deny', 'denied', 'false', 'no_access']);

/**
 * The files of a room that a visitor sees. A room without a matrix is open to whoever comes through a link. Where there
 * is one, it grants what is seen: to the groups that hold the visitor's address, or to the group that the link is for.
 * Of the entries for one group the nearest counts (file, folder, folders above, whole room); of several groups, any that
 * grants.
 */
export function getVisibleFiles(
  room: RoomRecord,
  visitor: { email: string | null; link: Pick<LinkRecord, 'group_id'> },
): RoomFileRecord[] {
  const entries = getPermissionEntries(room.permissions);
  if (entries === null) return room.files;
  const visitorEmail = visitor.email?.toLowerCase();
  const groups = room.groups.filter(
    ({ id, emails }) =>
      id === visitor.link.group_id || emails.some((email) => email.toLowerCase() === visitorEmail),
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

/** The list of entries under whatever name it was put; null where no matrix was put at all. */
function getPermissionEntries(permissions: Custom): Custom[] | null {
  const lists = Object.values(permissions).filter((value) => Array.isArray(value));
  if (lists.length === 0) return Object.keys(permissions).length === 0 ? null : [];
  return lists.flat().filter((entry): entry is Custom => typeof entry === 'object' && entry !== null);
}

function isGranted(room: RoomRecord, file: RoomFileRecord, entries: readonly Custom[]): boolean {
  const findEntry = (names: readonly string[], id: string) =>
    entries.findLast((entry) =>
      names.some((name) => entry[name] !== undefined && String(entry[name]) === id),
    );
  const fileEntry =
    findEntry(['file_id', 'fileId'], file.id) ?? findEntry(['document_id', 'documentId'], file.document_id);
  if (fileEntry) return grantsAccess(fileEntry);
  const checkedFolders = new Set<string>();
  for (let id = file.folder_id; id !== null && !checkedFolders.has(id); ) {
    const found = findEntry(['folder_id', 'folderId'], id);
    if (found) return grantsAccess(found);
    checkedFolders.add(id);
    id = room.folders.find((folder) => folder.id === id)?.parent_id ?? null;
  }
  const roomEntry = entries.findLast((entry) => !TARGET_FIELDS.some((name) => entry[name] !== undefined));
  return roomEntry !== undefined && grantsAccess(roomEntry);
}

const TARGET_FIELDS = ['file_id', 'fileId', 'document_id', 'documentId', 'folder_id', 'folderId'];

/** An entry that names no access grants by being there. */
function grantsAccess(entry: Custom): boolean {
  const access = entry['access'] ?? entry['permission'] ?? entry['level'] ?? entry['can_view'] ?? true;
  return !NO_ACCESS_VALUES.has(String(access).toLowerCase());
}
