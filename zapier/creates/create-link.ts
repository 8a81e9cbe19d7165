import { FORM_NAMES, RECORD_FIELDS, ROOM_FIELD } from '../../src/assumptions/index.ts';
import { additionalFields, readFlag, readMore, recordField } from '../forms/form.ts';
import { gateBody, gateFields, missingGates, readGates } from '../forms/gates.ts';
import { learnedFields } from '../forms/learned-fields.ts';
import type { Step } from '../platform/client.ts';
import { type Client, InputError, isObject, type JsonObject, textField } from '../platform/core.ts';
import { document } from '../records/document.ts';
import { idOfLink, link } from '../records/link.ts';
import { askPage, findById } from '../records/pages.ts';
import { recordFrom } from '../records/record.ts';
import { room } from '../records/room.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  document?: string;
  room?: string;
  email_required?: boolean;
}

export const createLink = action<Input>({
  key: 'create_link',
  noun: 'Link',
  label: 'Create Link',
  description: 'Creates a share link for a document or a room.',
  inputFields: [
    recordField(document, {
      required: false,
      helpText: 'The document that the link opens. Give a document or a room.',
    }),
    recordField(room, {
      required: false,
      helpText: 'The room that the link opens, where it is not a document.',
    }),
    {
      key: 'email_required',
      label: 'Ask for an Email',
      type: 'boolean',
      required: false,
      helpText: 'Visitors give their e-mail address before they see the document, so you know who looked.',
    },
    ...gateFields,
    additionalFields,
    learnedFields(link, FORM_NAMES.link),
  ],
  run: async (client, step) => {
    const { input, bundle } = step;
    if (!input.document === !input.room)
      throw new InputError('Pick the document or the room that the link opens: one of the two, not both.');
    const asked = readFlag(input.email_required, 'Ask for an Email');
    const gates = readGates(input, bundle.meta?.timezone ?? 'UTC');
    const example = Object.keys(gates).length > 0 ? await exampleOf(client) : undefined;
    const body: JsonObject = {
      ...(input.document ? { document_id: input.document } : { [ROOM_FIELD]: input.room }),
      ...(asked === undefined ? {} : { email_required: asked }),
      ...gateBody(gates, example),
      ...readMore(input),
    };
    const created = await (input.document
      ? client.links.create({ ...body, document_id: input.document })
      : createRoomLink(client, body));
    const id = await idOfLink(client, created);
    await checkGates(client, step, { created, id, gates, asked });
    const { [Object.keys(gateBody({ password: '' }, example))[0] ?? '']: _secret, ...known } = body;
    return recordFrom(link, created, { ...known, id });
  },
  shows: link,
});

/** §2 names the field of a document alone, and the catalogue asks for it. */
async function createRoomLink(client: Client, body: JsonObject): Promise<JsonObject & { url: string }> {
  const { body: answer } = await client.request({ method: 'POST', path: '/links', body });
  const places = isObject(answer) ? [answer, ...Object.values(answer)] : [];
  const made = places.filter(isObject).find((place) => textField(place, RECORD_FIELDS.url) !== undefined);
  const url = textField(made, RECORD_FIELDS.url);
  if (made === undefined || url === undefined)
    throw new InputError(
      'Docshare has done this, but its answer lacks the address of the link. Do not replay this step: look for the link in Docshare.',
    );
  return { ...made, url };
}

/** An existing link, for the names of its fields; a key that may not read links does without. */
async function exampleOf(client: Client): Promise<JsonObject | undefined> {
  const page = await askPage((query, options) => client.links.list(query, options)).catch(() => undefined);
  return page?.items[0];
}

/** A link whose gate did not take would open to everybody: it is deleted again, and the step says so. */
async function checkGates(
  client: Client,
  { z }: Step<Input>,
  made: {
    created: JsonObject;
    id: string | undefined;
    gates: ReturnType<typeof readGates>;
    asked: boolean | undefined;
  },
): Promise<void> {
  const { created, id, gates, asked } = made;
  const lacks = (shown: JsonObject) => [
    ...missingGates(gates, shown),
    ...(asked && shown['email_required'] === false ? ['Ask for an Email'] : []),
  ];
  if (lacks(created).length === 0) return;
  // §4: the answer to a creation promises the address alone; the list shows more.
  const listed =
    id === undefined ? 'unread' : await findById(link, client, id).catch(() => 'unread' as const);
  const missing = lacks(typeof listed === 'string' ? created : { ...created, ...listed });
  if (missing.length === 0) return;
  const deleted =
    id !== undefined &&
    (await client.links
      .delete({ id })
      .then(() => true)
      .catch(() => false));
  const what = missing
    .map((label) => `"${label}"`)
    .join(', ')
    .slice(0, 80);
  const where = textField(created, ['url'])?.slice(0, 60) ?? 'in Docshare';
  throw new z.errors.Error(
    deleted
      ? `Docshare does not show that ${what} took, so the new link was deleted again. Set it under the name that your links have, in Additional Fields.`
      : `Docshare does not show that ${what} took, and the new link could not be deleted. Delete it in Docshare at once: ${where}`,
    'gate_not_set',
  );
}
