import { z } from 'zod';
import { FORM_BODIES, ROOM_FILE_DOCUMENT, ROOM_PARTS } from '../../src/assumptions/index.ts';
import { extraInputFields, getBodyFieldNames } from '../fields/extra-input-fields.ts';
import { collectExtraFields, recordField, sendForm, textInput } from '../fields/form-fields.ts';
import { ApiError, type Client, getField, getTextField, type JsonObject } from '../platform/client-core.ts';
import { createResumeStore } from '../platform/resume.ts';
import { toPartialFailureError } from '../platform/zapier-errors.ts';
import { room } from '../records/room.ts';
import { fetchRoom, getRoomParts, roomPartField, roomPartOutput, toRoomPart } from '../records/room-parts.ts';
import { defineAction } from './define-action.ts';
import { UploadedDocument, uploadFile } from './upload-file.ts';

interface Input extends Record<string, unknown> {
  file: string;
  room: string;
  name?: string;
  folder?: string;
}

/** `adding`: a call that puts the document into the room was begun, and its end was not seen. */
const RoomFileState = UploadedDocument.extend({ adding: z.boolean().optional() });

const { outputFields, sample } = roomPartOutput('File', { id: 'rfl_9d3t1b7m', name: 'Series A Deck.pdf' });

export const uploadRoomFile = defineAction<Input>({
  key: 'upload_room_file',
  noun: 'File',
  label: 'Upload File to Room',
  description: 'Creates a document from a file and puts it into a room, in one step.',
  inputFields: [
    {
      key: 'file',
      label: 'File',
      type: 'file',
      required: true,
      helpText: 'A file from an earlier step: a PDF, a deck, a video or another source file, up to 100 MB.',
    },
    recordField(room, { helpText: 'The room that gets the file.' }),
    textInput('name', 'Document Name', { helpText: 'Leave empty to keep the name of the file.' }),
    roomPartField('folders', {
      key: 'folder',
      label: 'Folder',
      required: false,
      helpText: 'Leave empty to put it at the top of the room.',
    }),
    ...extraInputFields('rooms.addFile', {
      knownNames: getBodyFieldNames(FORM_BODIES.roomFile({ documentId: '', folderId: '' })),
    }),
  ],
  perform: async (client, step) => {
    const { z: platform, input } = step;
    const { file, room: id, name, folder: folderId } = input;
    const extraFields = collectExtraFields(input);
    const resumeStore = createResumeStore(step, {
      step: 'room-file',
      input: [file, name ?? '', id],
      schema: RoomFileState,
    });
    const savedState = await resumeStore.load();
    const nextStep = 'Add Document to Room and the document from its list';
    const uploaded = savedState ?? (await uploadFile(client, platform, { file, name, nextStep }));
    const { id: documentId } = uploaded;
    const finish = async (added: JsonObject) => {
      await resumeStore.clear();
      return {
        ...toRoomPart(added, { part: 'file', room: id, name: uploaded.name }),
        document_id: documentId,
      };
    };
    if (savedState?.adding) {
      const found = await findAdded(client, { room: id, document: documentId });
      if (found) return finish(found);
      if (found === undefined)
        throw new platform.errors.HaltedError(
          `Document ${documentId.slice(0, 40)} may be in the room already, and Docshare does not show which. So it is not added again: look into the room, and use Add Document to Room where it lacks.`,
        );
    }
    const isResumable = await resumeStore.save({ ...uploaded, adding: true });
    const bodies = FORM_BODIES.roomFile({ documentId, folderId });
    const added = await sendForm(bodies, extraFields, (body) => client.rooms.addFile({ ...body, id })).catch(
      async (error: unknown) => {
        const isRejected = error instanceof ApiError && error.status < 500;
        if (isRejected) await resumeStore.save({ ...uploaded, adding: false });
        const location = isRejected ? 'but not in the room' : 'and may be in the room';
        const completed = `The file is uploaded as document ${documentId.slice(0, 40)}, ${location}.`;
        throw toPartialFailureError(platform, error, { completed, isResumable });
      },
    );
    return finish(added);
  },
  output: {
    outputFields: [...outputFields, { key: 'document_id', label: 'Document ID', type: 'string' }],
    sample: { ...sample, document_id: 'doc_7f3k2m9q' },
  },
  operation: {
    // Of two at once with one file, the second sees what the first has done.
    lock: {
      key: 'room-file-{{bundle.inputData.room}}-{{bundle.inputData.file}}',
      scope: ['account'],
      timeout: 60,
    },
  },
});

/** The file of a room that an earlier run may have added: null where it is not there, undefined where nothing tells. */
async function findAdded(
  client: Client,
  { room: id, document }: { room: string; document: string },
): Promise<JsonObject | null | undefined> {
  const record = await fetchRoom(client, id).catch(() => undefined);
  if (record === undefined || getField(record, ROOM_PARTS.files) === undefined) return undefined;
  return (
    getRoomParts(record, 'files').find((file) => getTextField(file, ROOM_FILE_DOCUMENT) === document) ?? null
  );
}
