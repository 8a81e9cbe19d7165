import { CREATED_FIELDS } from '../../../src/assumptions/index.ts';
import * as assumed from '../../../src/assumptions/record-fields.ts';
import {
  getField,
  getName,
  getTextField,
  idOf,
  isObject,
  type JsonObject,
  toIsoTime,
} from '../../../src/records/fields.ts';

export const COLUMNS = ['Drafts', 'Sent', 'Viewed', 'Signed', 'Ended'] as const;
export type Column = (typeof COLUMNS)[number];

export type AgreementCard = ReturnType<typeof parseAgreementCards>[number];

const DAY_MS = 86_400_000;

export function parseAgreementCards(toolResult: JsonObject, now = Date.now()) {
  const items = Array.isArray(toolResult['items']) ? toolResult['items'].filter(isObject) : [];
  return items.map((item) => {
    const status = getTextField(item, assumed.RECORD_FIELDS.status);
    const column = getColumn(item, status);
    const isWaiting = column === 'Sent' || column === 'Viewed';
    const sentAt = toIsoTime(getTextField(item, [...assumed.RECORD_FIELDS.sentAt, ...CREATED_FIELDS]));
    const days = sentAt === undefined ? undefined : Math.floor((now - Date.parse(sentAt)) / DAY_MS);
    return {
      id: idOf(item, 'agreement'),
      name: getName(item, 'agreement') ?? 'Agreement',
      column,
      /** Status as the service names it. */
      status,
      recipients: getRecipients(item),
      /** Whole days since it was sent; only set while it waits for a signature. */
      daysWaiting: isWaiting && days !== undefined && days >= 0 ? days : undefined,
    };
  });
}

/** Chooses by status, or by timestamps if the status is unknown. */
function getColumn(item: JsonObject, status: string | undefined): Column {
  const normalizedStatus = status?.toLowerCase().replace(/[\s-]+/g, '_');
  if (normalizedStatus !== undefined) {
    if (assumed.SIGNED_STATES.includes(normalizedStatus)) return 'Signed';
    if (assumed.ENDED_STATES.includes(normalizedStatus)) return 'Ended';
    if (assumed.DRAFT_STATES.includes(normalizedStatus)) return 'Drafts';
    if (assumed.STATUS_CHANGES.viewed.includes(normalizedStatus)) return 'Viewed';
    if (assumed.STATUS_CHANGES.sent.includes(normalizedStatus)) return 'Sent';
  }
  if (getTextField(item, assumed.RECORD_FIELDS.signedAt) !== undefined) return 'Signed';
  if (getTextField(item, assumed.RECORD_FIELDS.viewedAt) !== undefined) return 'Viewed';
  return getTextField(item, assumed.RECORD_FIELDS.sentAt) !== undefined ? 'Sent' : 'Drafts';
}

function getRecipients(item: JsonObject): string[] {
  for (const name of assumed.RECIPIENT_FIELDS) {
    const list = getField(item, name);
    if (!Array.isArray(list)) continue;
    return list.flatMap((person) => {
      if (typeof person === 'string') return [person];
      const text = getTextField(person, ['name']) ?? getTextField(person, assumed.RECORD_FIELDS.email);
      return text === undefined ? [] : [text];
    });
  }
  return [];
}
