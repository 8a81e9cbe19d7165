import { z as zod } from 'zod';
import { FORM_BODIES, ROOM_FILE_DOCUMENT_FIELDS, ROOM_PARTS } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, createFormField, createRecordField, tryFormBodies } from '../fields/form-fields.ts';
import { getField, getTextField, type JsonObject } from '../platform/client-core.ts';
import { createResumeStore, UNKNOWN_OUTCOME_TTL_S } from '../platform/resume.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { isRejection } from '../platform/zapier-errors.ts';
import { room } from '../records/kinds.ts';
import {
  createFolderField,
  createRoomPartOutput,
  fetchRoom,
  getRoomParts,
  requirePlace,
  toRoomPart,
} from '../records/room-parts.ts';
import { defineAction, type FormInput } from './define-action.ts';
import { fileField, requireStillUploaded, toErrorAfterUpload, UploadedDocument, uploadFile } from './upload-file.ts';

/** `adding`: the call that adds the document to the room was started, and its outcome is unknown. */
const RoomFileState = UploadedDocument.extend({ adding: zod.boolean().optional() });

const { outputFields, sample } = createRoomPartOutput('File', { id: 'rfl_9d3t1b7m', name: 'Series A Deck.pdf' });

export const uploadRoomFile = defineAction<FormInput<'file' | 'room', 'name' | 'folder'>>({
  key: 'upload_room_file',
  noun: 'File',
  label: 'Upload File to Room',
  description: 'Uploads a file and adds it to a room, in one step.',
  inputFields: [
    fileField,
    createRecordField(room, { helpText: 'The room to add the file to.' }),
    createFormField('name', 'Document Name', { helpText: 'Leave empty to use the file name.' }),
    createFolderField({ key: 'folder', label: 'Folder' }),
    ...createExtraInputFields('rooms.addFile'),
  ],
  perform: async (step) => {
    const { client, z, input } = step;
    const { file, room: id, name, folder: folderId } = input;
    const extraFields = collectExtraFields(input);
    const resumeStore = createResumeStore(step, {
      step: 'room-file',
      input: [file, name ?? '', id],
      schema: RoomFileState,
    });
    const savedState = await resumeStore.load();
    const nextStep = 'Add Document to Room, and choose the document from the list';
    const uploaded = savedState ?? (await uploadFile(step, { file, name, nextStep }));
    const { id: documentId } = uploaded;
    const finish = async (added: JsonObject) => {
      await resumeStore.clear();
      const sent = { part: 'file', room: id, name: uploaded.name, document: documentId } as const;
      requirePlace(z, added, { ...sent, folder: folderId, extraFields });
      return { ...toRoomPart(added, sent), document_id: documentId };
    };
    if (savedState?.adding) {
      const found = await findAdded(step, { room: id, document: documentId });
      if (found) return finish(found);
      if (found === undefined)
        throw new z.errors.HaltedError(
          `Document ${documentId.slice(0, 40)} may already be in the room, so it was not added again. Check the room in Docshare; if the document is missing, use Add Document to Room.`,
        );
    }
    const isResumable = await resumeStore.save({ ...uploaded, adding: true }, UNKNOWN_OUTCOME_TTL_S);
    const bodies = FORM_BODIES.roomFile({ documentId, folderId });
    const added = await tryFormBodies(bodies, extraFields, (body) => client.rooms.addFile({ ...body, id })).catch(
      async (error: unknown) => {
        await requireStillUploaded({ ...step, resumeStore }, { id: savedState?.id, error });
        if (isRejection(error)) await resumeStore.save({ ...uploaded, adding: false });
        throw toErrorAfterUpload(z, error, {
          id: documentId,
          isResumable,
          rejected: 'but not in the room',
          unknown: 'and may be in the room',
        });
      },
    );
    return finish(added);
  },
  output: {
    outputFields: [...outputFields, { key: 'document_id', label: 'Document ID', type: 'string' }],
    sample: { ...sample, document_id: 'doc_7f3k2m9q' },
  },
  lock: { key: 'room-file-{{bundle.inputData.room}}-{{bundle.inputData.file}}' },
});

/** File that an earlier run may have added to a room: null if it is not there, undefined if unknown. */
async function findAdded(
  step: ClientStep,
  { room: id, document }: { room: string; document: string },
): Promise<JsonObject | null | undefined> {
  const record = await fetchRoom(step, id).catch((error: unknown) => {
    // The replay continues to look for the room.
    if (error instanceof step.z.errors.ThrottledError) throw error;
    return undefined;
  });
  if (record === undefined || getField(record, ROOM_PARTS.files) === undefined) return undefined;
  return (
    getRoomParts(record, 'files').find((file) => getTextField(file, ROOM_FILE_DOCUMENT_FIELDS) === document) ?? null
  );
}
