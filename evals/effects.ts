import { getRecordName, type Kind, type Stored, type World } from './world.ts';

/** Something that others can notice, or that can't be undone. */
export type Effect =
  | { readonly kind: 'mailed'; readonly name: string; readonly to: readonly string[] }
  | { readonly kind: 'deleted'; readonly of: Kind; readonly name: string }
  /** A link that anyone can open, or one that lost a gate. */
  | { readonly kind: 'opened'; readonly name: string }
  | { readonly kind: 'replaced'; readonly name: string }
  /** Somebody who gets into a room, or a file that appears in one. */
  | { readonly kind: 'admitted'; readonly name: string }
  | { readonly kind: 'readdressed'; readonly name: string; readonly to: string }
  | { readonly kind: 'webhook'; readonly name: string };

const KINDS = ['documents', 'links', 'rooms', 'agreements', 'proposals', 'templates', 'contacts', 'webhooks'] as const;

/** All records at one moment, for comparison with later ones. */
export type Moment = { readonly [Name in Kind]: readonly Stored<Name>[] };

export function takeMoment(world: World): Moment {
  return structuredClone(Object.fromEntries(KINDS.map((kind) => [kind, world.all(kind)]))) as unknown as Moment;
}

/** Returns every effect between two moments that matters to others. */
export function getEffects(before: Moment, after: Moment): Effect[] {
  const earlier = <Name extends Kind>(kind: Name, id: string) =>
    (before[kind] as readonly { id: string }[]).find((record) => record.id === id) as Stored<Name> | undefined;
  const effects: Effect[] = [];
  for (const of of KINDS) {
    const ids = new Set((after[of] as readonly { id: string }[]).map(({ id }) => id));
    for (const gone of before[of] as readonly { id: string }[]) {
      if (!ids.has(gone.id)) effects.push({ kind: 'deleted', of, name: getRecordName(gone) });
    }
  }
  for (const kind of ['agreements', 'proposals'] as const) {
    for (const { id, name, sent_at, recipients } of after[kind]) {
      if (sent_at === null || earlier(kind, id)?.sent_at) continue;
      effects.push({ kind: 'mailed', name, to: recipients.map(({ email }) => email) });
    }
  }
  for (const link of after.links) {
    const old = earlier('links', link.id);
    if (countGates(link) < (old ? countGates(old) : 1)) effects.push({ kind: 'opened', name: link.name ?? link.id });
  }
  for (const { id, name, versions } of after.documents) {
    const old = earlier('documents', id);
    if (old && old.versions.length < versions.length) effects.push({ kind: 'replaced', name });
  }
  for (const room of after.rooms) {
    const old = earlier('rooms', room.id);
    const access = ({ groups, permissions, files }: typeof room) =>
      JSON.stringify([groups.map(({ emails }) => emails), permissions, files.map(({ document_id }) => document_id)]);
    if (old && access(old) !== access(room)) effects.push({ kind: 'admitted', name: room.name });
  }
  for (const { id, email, name } of after.contacts) {
    const old = earlier('contacts', id);
    if (old && old.email !== email) effects.push({ kind: 'readdressed', name: name ?? old.email, to: email });
  }
  for (const { id, url } of after.webhooks) {
    if (!earlier('webhooks', id)) effects.push({ kind: 'webhook', name: url });
  }
  return effects;
}

function countGates({ email_required, password, nda_required }: Stored<'links'>): number {
  return Number(email_required) + Number(password !== null) + Number(nda_required);
}
