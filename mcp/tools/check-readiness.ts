import {
  DRAFT_STATES,
  NON_SIGNER_ROLE_PATTERN,
  RECORD_FIELDS,
  SIGNER_FIELDS,
  SIGNER_ROLE_PATHS,
} from '../../src/assumptions/index.ts';
import { NotFoundError } from '../../src/errors.ts';
import { getField, getName, getTextField, includesName, type JsonObject, toIsoTime } from '../../src/records/fields.ts';
import { DRAFT_CONTENT_FIELDS } from '../assumptions.ts';
import { quoteText } from '../result/quote.ts';
import type { ToolContext } from '../tool/tool.ts';
import { getListedDocuments, getRecipients, hidesRecipients, quoteName, showsRecipients } from './describe-object.ts';
import { getTemplateId } from './object-lookup.ts';
import { getState } from './object-state.ts';

/** Lists of what a draft offers. */
export const ITEM_LISTS = DRAFT_CONTENT_FIELDS.filter((name) => name.endsWith('items'));
const ROLE_FIELDS = [...SIGNER_FIELDS.role, ...SIGNER_ROLE_PATHS];

/** Reasons why a draft should not be sent as it is, from what the service shows of it. */
export async function checkReadiness(
  context: ToolContext,
  { group, item, fields }: { group: string; item: JsonObject | undefined; fields: JsonObject },
): Promise<readonly string[]> {
  if (!item) return [];
  const people = [...getRecipients(item), ...getRecipients(fields)];
  const emails = people.map((person) => getTextField(person, SIGNER_FIELDS.email)?.toLowerCase());
  const repeated = emails.find((email, index) => email !== undefined && emails.indexOf(email) < index);
  const nameless = people.find((_, index) => emails[index] === undefined);
  const state = getState(item);
  const isAgreement = group === 'agreements';
  const problems = [
    state === 'expired' ? 'it has expired' : undefined,
    state !== undefined && state !== 'expired' && !includesName(DRAFT_STATES, state)
      ? `it is already ${quoteText(state, 40)}`
      : undefined,
    people.length === 0 && showsRecipients(item) ? 'it has no recipients' : undefined,
    hidesRecipients(item) ? 'the service does not show all its recipients' : undefined,
    nameless ? `${quoteName(getName(nameless) ?? 'a recipient')} has no email address` : undefined,
    repeated === undefined ? undefined : `${quoteText(repeated, 60)} is a recipient twice`,
    isAgreement && people.length > 0 && people.every((person) => NON_SIGNER_ROLE_PATTERN.test(getRole(person)))
      ? 'nobody has to sign'
      : undefined,
    isAgreement && hasEmptyField(item, 'document_id') && !getTemplateId(item) && getListedDocuments(item).length === 0
      ? 'it has no document: there is nothing to sign'
      : undefined,
    ITEM_LISTS.some((name) => isEmptyList(getField(item, name))) ? 'it has no items' : undefined,
  ];
  const createdAt = getTime(item, 'created_at');
  return [
    ...problems.filter((problem) => problem !== undefined),
    ...(await checkTemplate(context, { id: getTemplateId(item), people, createdAt })),
  ];
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Returns whether the service shows a field, and it is empty. */
function hasEmptyField(item: JsonObject, name: string): boolean {
  const value = getField(item, name);
  return value !== undefined && !value;
}

async function checkTemplate(
  { client, options }: ToolContext,
  { id, people, createdAt }: { id: string | undefined; people: readonly JsonObject[]; createdAt: number | undefined },
): Promise<readonly string[]> {
  if (id === undefined) return [];
  try {
    const template = (await client.templates.get({ id }, { deadlineMs: 4000, ...options })) as JsonObject;
    const listed = getField(template, 'roles');
    const roles = Array.isArray(listed) ? listed.flatMap((role) => getRole({ role }) || []) : [];
    const filled = people.map((person) => getRole(person).toLowerCase());
    const empty = roles.filter((role) => !filled.includes(role.toLowerCase()));
    const changedAt = getTime(template, ...RECORD_FIELDS.updatedAt);
    const hasChanged = changedAt !== undefined && createdAt !== undefined && changedAt > createdAt;
    return [
      ...empty.map((role) => `the role ${quoteText(role, 40)} of its template has no person`),
      ...(hasChanged ? ['its template has changed since'] : []),
    ];
  } catch (error) {
    options.signal?.throwIfAborted();
    return error instanceof NotFoundError ? ['its template no longer exists'] : [];
  }
}

function getRole(person: JsonObject): string {
  return getTextField(person, ROLE_FIELDS) ?? '';
}

function getTime(item: JsonObject, ...names: readonly string[]): number | undefined {
  const time = toIsoTime(getTextField(item, names));
  return time === undefined ? undefined : Date.parse(time);
}
