import type { PlainInputField, Trigger } from 'zapier-platform-core';
import {
  AWAITS_SIGNERS_PATTERN,
  DRAFT_STATES,
  END_PATTERNS,
  ENDED_STATE_PATTERN,
  RECORD_FIELDS,
  STATUS_CHANGES,
} from '../../src/assumptions/index.ts';
import { parseChoice } from '../fields/form-fields.ts';
import { getTextField, type JsonObject, toIsoTime } from '../platform/client-core.ts';
import { getStatus } from '../records/is-signed.ts';
import { getListFunction, sortNewestFirst } from '../records/read-list.ts';
import {
  createSampleInState,
  getChangeOutputFields,
  getRecordId,
  type RecordKind,
  type RecordWithId,
  toFlatRecord,
} from '../records/record-kind.ts';
import { createPollPerform } from './poll.ts';
import { pollChanges } from './poll-changes.ts';

type Change = keyof typeof STATUS_CHANGES;

const FINAL_STATES: readonly string[] = [...STATUS_CHANGES.completed, ...STATUS_CHANGES.accepted, 'lost'];

/** The ID combines record and status, or the selected change: Zapier runs once for each. */
const CHANGE_FIELDS = [
  { key: 'id', label: 'Change ID', type: 'string', primary: true },
  { key: 'change', label: 'Change', type: 'string' },
  { key: 'changed_at', label: 'Last Changed At', type: 'datetime' },
] as const;

/** Polls for changes of a status, since the API has no event for it (§6). With several `changes` the form has a filter. */
export function defineStatusTrigger(spec: {
  readonly kind: RecordKind;
  readonly key: string;
  readonly noun: string;
  readonly label: string;
  readonly description: string;
  readonly changes: readonly Change[];
  readonly sample: { readonly status: Change; readonly changed_at: string };
}): Trigger {
  const { kind, key, noun, label, description, changes, sample } = spec;
  const only = changes.length === 1 ? changes[0] : undefined;
  const choices = Object.fromEntries(changes.map((change) => [change, toTitle(change)])) as Record<Change, string>;
  const inputFields = only === undefined ? [changeField(kind, choices)] : [];
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      type: 'polling',
      inputFields,
      perform: createPollPerform(async (step) => {
        const input: JsonObject = step.input;
        const selectedChange = only ?? parseChoice(input['change'], { choices, label: 'Change' });
        const items = await pollChanges(
          {
            list: getListFunction(kind, step.client),
            trigger: key,
            getId: (item) => getRecordId(kind, item),
            getTime: (item) => getChangedAt(kind, item) ?? undefined,
            getVersion: (item) => getStatus(item) ?? '',
            isSettled: (item) => isFinal(getStatus(item) ?? ''),
          },
          step,
        );
        const statusChanges = items.flatMap((item) => toStatusChange(kind, item, selectedChange) ?? []);
        const selected = statusChanges.filter(({ status }) =>
          selectedChange === undefined ? !DRAFT_STATES.includes(status) : matchesChange(selectedChange, status),
        );
        return sortNewestFirst(
          selected.map(({ event }) => event),
          (event) => event['changed_at'],
        );
      }, inputFields),
      sample: createSample(kind, sample),
      outputFields: [...CHANGE_FIELDS, ...getChangeOutputFields(kind)],
    },
  };
}

function createSample(kind: RecordKind, { status, changed_at }: { status: Change; changed_at: string }): JsonObject {
  const { id, ...fields } = createSampleInState(kind, status);
  return { id: `${id}-${status}`, change: toTitle(status), changed_at, [`${kind.resource}_id`]: id, ...fields };
}

function changeField(kind: RecordKind, choices: Record<Change, string>): PlainInputField {
  return {
    key: 'change',
    label: 'Change',
    type: 'string',
    choices,
    helpText: `Trigger only when the ${kind.resource} changes to this status. Leave empty for any change. Zapier checks every few minutes, so it can miss a status that soon changes again.`,
  };
}

function matchesChange(change: Change, status: string): boolean {
  const patterns: { readonly [change in Change]?: RegExp } = { ...END_PATTERNS, sent: AWAITS_SIGNERS_PATTERN };
  return STATUS_CHANGES[change].includes(status) || patterns[change]?.test(status) === true;
}

/** True for a status that does not change any more. */
function isFinal(status: string): boolean {
  return FINAL_STATES.includes(status) || ENDED_STATE_PATTERN.test(status);
}

/** Undefined for a record without a status. Statuses of one change, such as accepted and won, may follow each other. */
function toStatusChange(kind: RecordKind, item: JsonObject, selectedChange: Change | undefined) {
  const status = getStatus(item);
  if (status === undefined) return undefined;
  const { id, raw, ...fields } = toFlatRecord(kind, item);
  const event = {
    id: `${id}-${selectedChange ?? status}`,
    change: toTitle(status),
    changed_at: getChangedAt(kind, item),
    [`${kind.resource}_id`]: id,
    ...fields,
    raw,
  };
  return { status, event: event as RecordWithId };
}

function getChangedAt(kind: RecordKind, item: JsonObject): string | null {
  const updatedAt = toIsoTime(getTextField(item, RECORD_FIELDS.updatedAt));
  if (updatedAt !== undefined) return updatedAt;
  const { signed_at, sent_at, created_at } = toFlatRecord(kind, item);
  const changedAt = signed_at ?? sent_at ?? created_at;
  return typeof changedAt === 'string' ? changedAt : null;
}

function toTitle(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ');
}
