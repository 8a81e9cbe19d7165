import { ID_FIELDS, WEBHOOK_SECRET_FIELDS } from '../../src/assumptions/index.ts';
import { includesName, isObject, type JsonObject } from '../../src/records/fields.ts';
import { getNote } from '../../src/response/note.ts';
import type { SecretStore } from '../files/file-access.ts';
import { toFullItem } from '../result/projection.ts';
import { isSecretField, redactSecretValues } from '../result/redact-secrets.ts';
import { collectTexts } from '../result/to-call-tool-result.ts';

/** A shorter `key` identifies the webhook. */
const MIN_KEY_LENGTH = 16;

interface FoundSecret {
  readonly name: string;
  readonly value: string;
}

/** Stores the signing secret of a created webhook. Returns the webhook without it; `next` tells the result. */
export async function storeWebhookSecret(webhook: unknown, store: SecretStore | undefined): Promise<JsonObject> {
  const found: FoundSecret[] = [];
  const rest = withoutSecrets(webhook, found);
  const values = [...new Set(found.map(({ value }) => value))];
  const item = redactSecretValues(toFullItem(rest, 'webhook'), values) as JsonObject;
  // An unreadable response may have had one.
  if (values.length === 0)
    return getNote(webhook) === undefined ? { ...item, next: 'The service returned no signing secret.' } : item;
  if (!store)
    return {
      ...item,
      next: 'The signing secret is not shown to assistants. If the receiver verifies signatures, delete this webhook, and create it with a local docshare-mcp or with the client.',
    };
  try {
    const secret_file = await store.save(`webhook-${item['id'] ?? 'new'}`, formatSecrets(found));
    return {
      ...item,
      secret_file,
      next: 'The signing secret is in secret_file, which only its owner can read. Tell the user the path; do not read it.',
    };
  } catch {
    return { ...item, next: 'The signing secret could not be stored. Delete this webhook and create it again.' };
  }
}

/** Copies a response without secret fields, at any depth, and collects them. */
function withoutSecrets(value: unknown, found: FoundSecret[]): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutSecrets(element, found));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const isSecret = isSecretField(name) || (includesName(WEBHOOK_SECRET_FIELDS, name) && !isOnlyId(name, value));
      if (!isSecret || inner === null) return [[name, withoutSecrets(inner, found)]];
      if (typeof inner === 'string' && inner !== '') found.push({ name, value: inner });
      // A field such as `secret: {value}` is removed as a whole.
      else for (const text of collectTexts(inner)) found.push({ name, value: text });
      return [];
    }),
  );
}

/** Returns whether `key` is the ID of a webhook that has no other. */
function isOnlyId(name: string, item: JsonObject): boolean {
  const value = item[name];
  const hasOtherId = ID_FIELDS.some((field) => field !== name && Object.hasOwn(item, field));
  return ID_FIELDS.includes(name) && !hasOtherId && String(value).length < MIN_KEY_LENGTH;
}

/** One secret alone, or each with its name. */
function formatSecrets(found: readonly FoundSecret[]): string {
  const [first, ...others] = found;
  return others.every(({ value }) => value === first?.value)
    ? `${first?.value}\n`
    : found.map(({ name, value }) => `${name}=${value}\n`).join('');
}
