import { z } from 'zod';
import { FORM_BODIES, ROOM_FILE_DOCUMENT, ROOM_PARTS } from '../../src/assumptions/index.ts';
import { readMore, recordField, sendForm, textInput } from '../forms/form.ts';
import { moreFields, namesIn } from '../forms/more-fields.ts';
import { ApiError, type Client, getField, getTextField, type JsonObject } from '../platform/core.ts';
import { explainAfter } from '../platform/errors.ts';
import { createUnfinished } from '../platform/unfinished.ts';
import { room } from '../records/room.ts';
import { getRoomParts, partShown, readPart, readRoom, roomPartField } from '../records/room-parts.ts';
import { action } from './action.ts';
import { Uploaded, uploadFile } from './upload-once.ts';

interface Input extends Record<string, unknown> {
  file: string;
  room: string;
  name?: string;
  folder?: string;
}

/** `adding`: a call that puts the document into the room was begun, and its end was not seen. */
const State = Uploaded.extend({ adding: z.boolean().optional() });

const { outputFields, sample } = partShown('File', { id: 'rfl_9d3t1b7m', name: 'Series A Deck.pdf' });

export const uploadRoomFile = action<Input>({
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
    ...moreFields('rooms.addFile', {
      known: namesIn(FORM_BODIES.roomFile({ documentId: '', folderId: '' })),
    }),
  ],
  run: async (client, step) => {
    const { z: platform, input } = step;
    const { file, room: id, name, folder: folderId } = input;
    const more = readMore(input);
    const unfinished = createUnfinished(step, {
      step: 'room-file',
      input: [file, name ?? '', id],
      form: State,
    });
    const known = await unfinished.read();
    const next = 'Add Document to Room and the document from its list';
    const uploaded = known ?? (await uploadFile(client, platform, { file, name, next }));
    const { id: documentId } = uploaded;
    const show = async (added: JsonObject) => {
      await unfinished.forget();
      return {
        ...readPart(added, { part: 'file', room: id, name: uploaded.name }),
        document_id: documentId,
      };
    };
    if (known?.adding) {
      const found = await findAdded(client, { room: id, document: documentId });
      if (found) return show(found);
      if (found === undefined)
        throw new platform.errors.HaltedError(
          `Document ${documentId.slice(0, 40)} may be in the room already, and Docshare does not show which. So it is not added again: look into the room, and use Add Document to Room where it lacks.`,
        );
    }
    const kept = await unfinished.keep({ ...uploaded, adding: true });
    const bodies = FORM_BODIES.roomFile({ documentId, folderId });
    const added = await sendForm(bodies, more, (body) => client.rooms.addFile({ ...body, id })).catch(
      async (error: unknown) => {
        const isRefused = error instanceof ApiError && error.status < 500;
        if (isRefused) await unfinished.keep({ ...uploaded, adding: false });
        const where = isRefused ? 'but not in the room' : 'and may be in the room';
        const done = `The file is uploaded as document ${documentId.slice(0, 40)}, ${where}.`;
        throw explainAfter(platform, error, { done, kept });
      },
    );
    return show(added);
  },
  shows: {
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
  const record = await readRoom(client, id).catch(() => undefined);
  if (record === undefined || getField(record, ROOM_PARTS.files) === undefined) return undefined;
  return (
    getRoomParts(record, 'files').find((file) => getTextField(file, ROOM_FILE_DOCUMENT) === document) ?? null
  );
}
