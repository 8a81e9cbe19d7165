import { normalizeName } from '../../src/answer/fields.ts';
import { EVENT_KINDS, WEBHOOK_SECRET_FIELDS, webhookBodies } from '../../src/assumptions/index.ts';
import { findPath } from '../form/paths.ts';
import { type Made, make, refuseBody, remove, type Writing } from './maker.ts';

/** Where nobody listens: the name can't exist (RFC 6761). */
const NOWHERE = 'https://docshare-learn.invalid';

/** A throwaway registration: which body is taken, what is answered, where the secret stands. */
export async function writeWebhook(writing: Writing, address: string | undefined): Promise<Made | undefined> {
  const { deeds, facts, takes } = writing;
  await refuseBody(writing, 'webhooks.create', {});
  const [kind = ''] = EVENT_KINDS;
  // Some services take public addresses alone.
  for (const base of address === undefined ? [NOWHERE] : [address, NOWHERE]) {
    const url = `${base}/${deeds.marker}`;
    const made = await make(writing, {
      name: 'webhooks.create',
      bodies: webhookBodies(url, [kind]),
      topic: 'webhooks',
    });
    if (!made && takes['webhooks.create'] === undefined) continue;
    const taken = webhookBodies('{url}', ['{event}']).find(
      (body) => Object.keys(body).join() === Object.keys(takes['webhooks.create']?.properties ?? {}).join(),
    );
    if (taken) facts.webhook = taken;
    if (made) {
      const at = findPath(
        made.answer.json,
        (value, name) =>
          typeof value === 'string' && WEBHOOK_SECRET_FIELDS.map(normalizeName).includes(normalizeName(name)),
      );
      facts.webhookSecret = at ? [...at] : null;
    }
    return made;
  }
  return undefined;
}

/** The same for the other kind that the document names (§6), where the body that was taken names one kind. */
export function writeSecondKind(writing: Writing, base: string): Promise<Made | undefined> {
  const { deeds, takes } = writing;
  const taken = Object.keys(takes['webhooks.create']?.properties ?? {}).join();
  const [, kind = ''] = EVENT_KINDS;
  const bodies = webhookBodies(`${base}/${deeds.marker}`, [kind]).filter(
    (body) => Object.keys(body).join() === taken,
  );
  return make(writing, { name: 'webhooks.create', bodies, topic: 'webhooks' });
}

export function removeWebhook(writing: Writing, made: Made): Promise<void> {
  return remove(writing, made, 'webhooks.delete');
}
