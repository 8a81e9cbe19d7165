import { getTextField, isObject } from '../../src/answer/fields.ts';
import {
  FINALIZED_ID_FIELDS,
  UPLOAD_FALLBACK_STATUSES,
  uploadStartBodies,
} from '../../src/assumptions/index.ts';
import { InputError } from '../../src/errors.ts';
import { UploadSession } from '../../src/operations/documents.ts';
import { resolveStorageUrl } from '../../src/wire/storage-address.ts';
import { STORAGE_ENCRYPTION } from '../assumptions.ts';
import { aboutAddress } from '../conclude/download.ts';

import type { Answer } from '../wire/session.ts';
import { canRemove, type Made, making, remove, tryBodies, type Writing } from './maker.ts';
import { idIn } from './remove.ts';
import { smallPdf } from './small-pdf.ts';

/** An upload of a few bytes: the body that starts it, the storage, and where documents can be removed, its end. */
export async function writeUpload(writing: Writing): Promise<void> {
  const { facts, world, deeds } = writing;
  const bytes = smallPdf();
  const file = { name: `${deeds.marker}.pdf`, type: 'application/pdf', size: bytes.byteLength };
  const bodies = uploadStartBodies(file);
  const started = await tryBodies(writing, { name: 'documents.startUpload', bodies, topic: 'uploads' });
  if (!started) return;
  const places = uploadStartBodies({ name: '{name}', type: '{type}', size: -1 });
  const at = bodies.findIndex((body) => Object.keys(body).join() === Object.keys(started.body).join());
  facts.uploadStart = Object.fromEntries(
    Object.entries(places[at] ?? {}).map(([name, value]) => [name, value === -1 ? '{size}' : value]),
  );
  await findDemanded(writing, started.body);
  const session = UploadSession.safeParse(unwrapped(started.answer)).data;
  if (!session) return;
  const { origin } = new URL(world.session.client.baseUrl);
  const { sameOrigin = false, life } = aboutAddress(session.uploadUrl, started.answer, origin);
  const encryption = Object.entries(session.headers).find(([name]) =>
    /server-side-encryption$/i.test(name),
  )?.[1];
  facts.upload = {
    headers: Object.keys(session.headers),
    ...(encryption !== undefined && STORAGE_ENCRYPTION.includes(encryption) ? { encryption } : {}),
    sameOrigin,
    ...(life === undefined ? {} : { life }),
  };
  const stored = await put(writing, session, bytes);
  if (!stored) return;
  facts.upload = { ...facts.upload, stored: stored.status };
  if (!stored.ok || !canRemove(writing, 'documents')) return;
  const { storageKey, token } = session;
  const made = await finalize(writing, { storageKey, token, name: deeds.marker });
  if (!made) return;
  // Spent: what the state forbids. Where it is taken once more, that makes one more document.
  const again = await making(
    writing,
    '/documents',
    async () => {
      const route = '/documents/uploads/finalize';
      const body = { storageKey, token, name: deeds.marker };
      const asked = { method: 'POST', path: route, route, body, topic: 'errors', as: 'conflict' } as const;
      const answer = await world.session.ask(asked);
      return answer?.ok ? answer : undefined;
    },
    { readId: readFinalizedId },
  );
  if (again && again.path !== made.path) await remove(writing, again);
  await remove(writing, made);
}

/** Which of the fields are demanded: each is left out once. What a session leaves behind, nobody ever sees. */
async function findDemanded(writing: Writing, body: Record<string, unknown>): Promise<void> {
  const without = (name: string) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
  const names = Object.keys(body);
  const asked = { name: 'documents.startUpload', topic: 'uploads', as: 'badBody' } as const;
  let demanded = 0;
  for (const name of names)
    if (!(await tryBodies(writing, { ...asked, bodies: [without(name)] }))) demanded += 1;
  if (demanded === 0 && names.length > 0) await tryBodies(writing, { ...asked, bodies: [{}] });
}

function unwrapped({ json }: Answer): unknown {
  if (!isObject(json) || 'uploadUrl' in json) return json;
  return Object.values(json).find((value) => isObject(value) && 'uploadUrl' in value) ?? json;
}

async function finalize(
  writing: Writing,
  body: { storageKey: string; token: string; name: string },
): Promise<Made | undefined> {
  const { name: _, ...bare } = body;
  const route = '/documents/uploads/finalize';
  const asked = {
    method: 'POST',
    path: route,
    route,
    operation: 'documents.finalizeUpload',
    topic: 'uploads',
  } as const;
  const call = async () => {
    for (const one of [body, bare]) {
      const answer = await writing.world.session.ask({ ...asked, body: one });
      if (answer === undefined || answer.ok) return answer;
      if (answer.status !== 400 && answer.status !== 422) return undefined;
    }
    return undefined;
  };
  return making(writing, '/documents', call, { readId: readFinalizedId });
}

/** An `id` beside the document's may be a version's. */
function readFinalizedId({ json }: Answer): string | undefined {
  return getTextField(json, FINALIZED_ID_FIELDS) ?? idIn(json, 'documents');
}

/** Sends the bytes with every header that was given, and without the key. */
async function put(
  { world }: Writing,
  session: UploadSession,
  bytes: Uint8Array,
): Promise<Answer | undefined> {
  const fail = (reason: string) => new InputError(reason);
  const base = `${world.session.client.baseUrl}/documents/uploads`;
  const url = resolveStorageUrl(session.uploadUrl, { base, createError: fail }).href;
  const given = Object.entries(session.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = { ...Object.fromEntries(given), 'content-length': String(bytes.byteLength) };
  return world.session.watch(
    { method: 'PUT', path: '/', route: '(the storage)', topic: 'uploads' },
    async () =>
      void (await world.session.recorder.transport({
        method: 'PUT',
        url,
        headers,
        body: bytes,
        signal: AbortSignal.timeout(15_000),
      })),
  );
}

/** A document of a few bytes, in one request; only where it can be removed. */
export async function writeDocument(writing: Writing): Promise<Made | undefined> {
  if (!canRemove(writing, 'documents')) return undefined;
  const { world, deeds } = writing;
  const file = new File([smallPdf() as Uint8Array<ArrayBuffer>], `${deeds.marker}.pdf`, {
    type: 'application/pdf',
  });
  const asked = {
    method: 'POST',
    path: '/documents',
    route: '/documents',
    operation: 'documents.create',
    topic: 'uploads',
  } as const;
  return making(writing, '/documents', async () => {
    const answer = await world.session.watch(asked, (options) =>
      world.session.client.documents.create({ file, name: deeds.marker }, options),
    );
    if (answer && (answer.ok || UPLOAD_FALLBACK_STATUSES.includes(answer.status)))
      writing.facts.multipart = answer.ok;
    return answer?.ok ? answer : undefined;
  });
}
