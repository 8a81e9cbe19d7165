import * as assumed from '../../src/assumptions/index.ts';
import { operations } from '../../src/operations/index.ts';
import { splitWords } from '../../src/split-words.ts';
import { STATE_VALUES } from '../assumptions.ts';
import {
  addObservation,
  confirmed,
  confirmedIf,
  different,
  evaluateNames,
  evaluateTable,
  findField,
  findNames,
  formatAsCode,
  formatPaths,
  getResourceSchemasByName,
  notObserved,
} from './evaluate.ts';
import type { QuestionTable } from './question.ts';

export const OBJECT_QUESTIONS: QuestionTable = {
  'item-envelope': {
    topic: 'objects',
    section: '§2',
    question: 'Is a single object the response itself, or wrapped in an envelope?',
    assumptions: ['ITEM_KEYS', 'ENVELOPE_SIBLINGS', 'ATTRIBUTES_FIELD', 'PROPERTIES_FIELD'],
    evaluate: ({ operations: operationProfiles }) => {
      const seen = operations.flatMap(({ name, group }) => {
        const one = operationProfiles[name];
        return one?.item ? [{ at: one.item, group }] : [];
      });
      if (seen.length === 0) return notObserved('No single object was read.');
      const isKnown = seen.every(({ at, group }) =>
        at.every((name) =>
          [...assumed.ENVELOPE_KEYS, ...assumed.ITEM_KEYS, group, group.replace(/s$/, '')].includes(name.toLowerCase()),
        ),
      );
      return confirmedIf(isKnown, `Path of the object: ${formatPaths(seen.map(({ at }) => at))}.`);
    },
  },
  ids: {
    topic: 'objects',
    section: '§2',
    question: 'Which field holds the ID of an object, and what format do IDs have?',
    assumptions: ['ID_FIELDS'],
    evaluate: ({ resources, facts }) => {
      const result = evaluateNames(Object.values(resources), { names: assumed.ID_FIELDS, label: 'The ID' });
      return addObservation(result, facts.ids && `IDs are ${facts.ids}.`);
    },
  },
  titles: {
    topic: 'objects',
    section: '§2',
    question: 'Which field holds the display name of an object?',
    assumptions: ['TITLE_FIELDS', 'NAME_FIELDS', 'mcp/SEARCH_FIELDS', 'mcp/SAFE_FIELDS'],
    evaluate: (profile) =>
      evaluateNames(Object.values(profile.resources), { names: assumed.TITLE_FIELDS, label: 'The title' }),
  },
  times: {
    topic: 'objects',
    section: '§2',
    question: 'Which field says when an object was created, and in which format are times?',
    assumptions: ['CREATED_FIELDS', 'mcp/OCCURRED_AT_FIELDS'],
    evaluate: ({ resources, facts }) => {
      const result = evaluateNames(Object.values(resources), {
        names: assumed.CREATED_FIELDS,
        label: 'The time of creation',
      });
      return addObservation(result, facts.times && `Times are in the format ${facts.times}.`);
    },
  },
  records: {
    topic: 'objects',
    section: '§2',
    question: 'What are the main fields of records called?',
    assumptions: ['RECORD_FIELDS'],
    evaluate: (profile) =>
      evaluateTable(Object.values(profile.resources), { table: assumed.RECORD_FIELDS, label: 'Values of records' }),
  },
  'document-pages': {
    topic: 'objects',
    section: '§4',
    question: 'Which fields do a page and a version of a document have?',
    assumptions: ['PAGE_FIELDS', 'VERSION_FIELDS'],
    evaluate: (profile) => {
      const pages = evaluateTable(getResourceSchemasByName(profile, 'page'), {
        table: assumed.PAGE_FIELDS,
        label: 'Fields of a page',
      });
      const versions = findNames(getResourceSchemasByName(profile, 'document'), assumed.VERSION_FIELDS);
      return addObservation(pages, versions.length > 0 ? `A version: ${formatAsCode(versions)}.` : undefined);
    },
  },
  'link-gates': {
    topic: 'objects',
    section: '§2',
    question: 'What are the gates of a link called: password, expiry, NDA, visitor limit, download?',
    assumptions: splitWords(`
      GATES GATE_CONTAINERS ON_VALUE_PATTERN OFF_VALUE_PATTERN mcp/GATE_SWITCH_FIELDS mcp/EXPIRY_FIELDS
    `),
    evaluate: (profile) => {
      const table = Object.fromEntries(
        Object.entries(assumed.GATES).map(([gate, { names, ...rest }]) => [
          gate,
          [...names, ...('readNames' in rest ? rest.readNames : [])],
        ]),
      );
      return evaluateTable(getResourceSchemasByName(profile, 'link'), { table, label: 'Gates of a link' });
    },
  },
  'room-links': {
    topic: 'objects',
    section: '§2',
    question: 'Which field of a room link refers to the room?',
    assumptions: ['ROOM_FIELD'],
    evaluate: (profile) =>
      evaluateNames(getResourceSchemasByName(profile, 'link'), {
        names: [assumed.ROOM_FIELD, 'room.id', 'dataroom_id'],
        label: 'The room',
      }),
  },
  'room-parts': {
    topic: 'objects',
    section: '§2',
    question: 'How does a room represent folders, files, groups and permissions?',
    assumptions: splitWords(`
      ROOM_PARTS ROOM_FILE_DOCUMENT_FIELDS PERMISSION_FIELDS ACCESS_LEVELS MATRIX_ENVELOPE_FIELDS
      mcp/PARENT_FOLDER_FIELDS
    `),
    evaluate: (profile) => {
      const [room] = getResourceSchemasByName(profile, 'room');
      const table = Object.fromEntries(Object.entries(assumed.ROOM_PARTS).map(([part, name]) => [part, [name]]));
      const parts = evaluateTable([room], { table, label: 'Parts of a room' });
      const files = findField(room, assumed.ROOM_PARTS.files)?.schema.items;
      const documents = findNames([files], assumed.ROOM_FILE_DOCUMENT_FIELDS);
      const matrix =
        findField(room, `${assumed.ROOM_PARTS.permissions}.${assumed.ROOM_PARTS.permissions}`)?.schema.items ??
        findField(room, assumed.ROOM_PARTS.permissions)?.schema.items;
      const entries = findNames([matrix], Object.values(assumed.PERMISSION_FIELDS).flat());
      const levels =
        findField(matrix, 'access')?.schema.enum?.filter((word) => String(word) in assumed.ACCESS_LEVELS) ?? [];
      const more = [
        documents.length > 0 ? `document of a file: ${formatAsCode(documents)}` : '',
        entries.length > 0 ? `permission entries: ${formatAsCode(entries)}` : '',
        levels.length > 0 ? `access levels: ${formatAsCode(levels.map(String))}` : '',
      ].filter(Boolean);
      return addObservation(parts, more.length > 0 ? `Details: ${more.join('; ')}.` : undefined);
    },
  },
  'agreement-people': {
    topic: 'objects',
    section: '§2',
    question: 'Where are the recipients of an agreement, and which fields do they have?',
    assumptions: splitWords(`
      RECIPIENT_FIELDS SIGNER_FIELDS SIGNER_KIND_FIELDS SIGNER_EMAIL_PATHS SIGNER_ROLE_PATHS SIGNER_CONTAINERS SENDER_ROLES
      NON_SIGNER_ROLE_PATTERN COPY_FIELD_PATTERN mcp/RECIPIENT_PROPERTIES
    `),
    evaluate: (profile) => {
      const [agreement] = getResourceSchemasByName(profile, 'agreement');
      const result = evaluateNames([agreement], { names: assumed.RECIPIENT_FIELDS, label: 'Recipients' });
      const recipients = assumed.RECIPIENT_FIELDS.map((name) => findField(agreement, name)?.schema.items).find(Boolean);
      const names = new Set([...Object.values(assumed.SIGNER_FIELDS).flat(), ...assumed.SIGNER_KIND_FIELDS]);
      const recipientFields = findNames([recipients], [...names]);
      const text = `Fields of a recipient: ${formatAsCode(recipientFields)}.`;
      return addObservation(result, recipientFields.length > 0 ? text : undefined);
    },
  },
  states: {
    topic: 'objects',
    section: '§3',
    question: 'Which states do agreements and proposals have?',
    assumptions: splitWords(`
      SIGNED_STATES ENDED_STATES END_PATTERNS ENDED_STATE_PATTERN SENT_STATE_PATTERN SIGNING_STATE_PATTERN AWAITS_SIGNERS_PATTERN SENT_STATES SENT_OR_DRAFT_STATES
      STATUS_CHANGES AGREEMENT_CHANGES PROPOSAL_CHANGES DRAFT_STATES AGREEMENT_STATUS_FIELDS
    `),
    evaluate: (profile) => {
      const states = getResourceSchemasByName(profile, 'agreement', 'proposal').flatMap((schema) =>
        findStatusField(schema),
      );
      if (states.length === 0) return notObserved('No agreement or proposal with a state was observed.');
      const text = [...new Set(states.flatMap(({ enum: all = [] }) => all.map(String)))];
      return states.every((one) => one.enum?.every((word) => STATE_VALUES.includes(String(word))))
        ? confirmed(`Observed states: ${formatAsCode(text)}.`)
        : different('Some object has an unknown state. Look it up in your account.');
    },
  },
};

function findStatusField(schema: Parameters<typeof findField>[0]) {
  return assumed.AGREEMENT_STATUS_FIELDS.flatMap((name) => findField(schema, name)?.schema ?? []).slice(0, 1);
}
