import {
  ACCESS_LEVELS,
  CREATED_FIELDS,
  ENDED_STATES,
  ENVELOPE_KEYS,
  GATES,
  ID_FIELDS,
  ITEM_KEYS,
  PAGE_FIELDS,
  PERMISSION_FIELDS,
  RECIPIENT_FIELDS,
  RECORD_FIELDS,
  ROOM_FIELD,
  ROOM_FILE_DOCUMENT,
  ROOM_PARTS,
  SENT_STATES,
  SIGNED_STATES,
  SIGNER_FIELDS,
  STATUS_CHANGES,
  TITLE_FIELDS,
  VERSION_FIELDS,
} from '../../src/assumptions/index.ts';
import { operations } from '../../src/operations/index.ts';
import { STATE_VALUES } from '../assumptions.ts';
import {
  confirmed,
  confirmedIf,
  different,
  evaluateNames,
  evaluateTable,
  findField,
  findNames,
  formatCodes,
  formatPaths,
  getAllResources,
  getResources,
  notObserved,
} from './evaluate.ts';
import type { Question } from './question.ts';

export const OBJECT_QUESTIONS: readonly Question[] = [
  {
    name: 'item-envelope',
    topic: 'objects',
    section: '§2',
    question: 'Is a single object the answer, or wrapped in it?',
    assumptions: ['ITEM_KEYS', 'ENVELOPE_SIBLINGS', 'ATTRIBUTES_FIELD'],
    mode: 'read',
    probe: 'One object of each kind is read.',
    confirmedWhen: 'It is the answer itself, or stands under an assumed name.',
    evaluate: ({ operations: operationProfiles }) => {
      const seen = operations.flatMap(({ name, group }) => {
        const one = operationProfiles[name];
        return one?.item && (one.answer?.seen ?? 0) > 0 ? [{ at: one.item, group }] : [];
      });
      if (seen.length === 0) return notObserved('No single object was read.');
      const isKnown = seen.every(({ at, group }) =>
        at.every((name) =>
          [...ENVELOPE_KEYS, ...ITEM_KEYS, group, group.replace(/s$/, '')].includes(name.toLowerCase()),
        ),
      );
      const text = `Objects stand under ${formatPaths(seen.map(({ at }) => at))}.`;
      return confirmedIf(isKnown, text);
    },
  },
  {
    name: 'ids',
    topic: 'objects',
    section: '§2',
    question: 'Which field holds the id of an object, and what form do ids have?',
    assumptions: ['ID_FIELDS'],
    mode: 'read',
    probe: 'The fields of all objects that were read.',
    confirmedWhen: 'A field under an assumed name.',
    evaluate: (profile) => {
      const result = evaluateNames(getAllResources(profile), { names: ID_FIELDS, label: 'The id' });
      const { ids } = profile.facts;
      return ids === undefined ? result : { ...result, observation: `${result.observation} Ids are ${ids}.` };
    },
  },
  {
    name: 'titles',
    topic: 'objects',
    section: '§2',
    question: 'Which field names an object for people?',
    assumptions: ['TITLE_FIELDS', 'NAME_FIELDS', 'mcp/SEARCH_FIELDS', 'mcp/SAFE_FIELDS'],
    mode: 'read',
    probe: 'The fields of all objects that were read.',
    confirmedWhen: 'A field under an assumed name.',
    evaluate: (profile) =>
      evaluateNames(getAllResources(profile), { names: TITLE_FIELDS, label: 'The title' }),
  },
  {
    name: 'times',
    topic: 'objects',
    section: '§2',
    question: 'Which field says when an object was made, and how are times written?',
    assumptions: ['CREATED_FIELDS', 'mcp/OCCURRED_AT_FIELDS'],
    mode: 'read',
    probe: 'The fields of all objects that were read.',
    confirmedWhen: 'A field under an assumed name.',
    evaluate: (profile) => {
      const result = evaluateNames(getAllResources(profile), {
        names: CREATED_FIELDS,
        label: 'The time of creation',
      });
      const { times } = profile.facts;
      return times === undefined
        ? result
        : { ...result, observation: `${result.observation} Times are written as ${times}.` };
    },
  },
  {
    name: 'records',
    topic: 'objects',
    section: '§2',
    question: 'Under which names do records hold what people want to see of them?',
    assumptions: ['RECORD_FIELDS'],
    mode: 'read',
    probe: 'The fields of all objects that were read.',
    confirmedWhen: 'At least one of the assumed names of the table is there.',
    evaluate: (profile) =>
      evaluateTable(getAllResources(profile), { table: RECORD_FIELDS, label: 'Values of records' }),
  },
  {
    name: 'document-pages',
    topic: 'objects',
    section: '§4',
    question: 'What does a page of a document say, and what a version?',
    assumptions: ['PAGE_FIELDS', 'VERSION_FIELDS'],
    mode: 'read',
    probe: 'A document and its pages are read.',
    confirmedWhen: 'At least one of the assumed names of the table is there.',
    evaluate: (profile) => {
      const pages = evaluateTable(getResources(profile, 'page'), {
        table: PAGE_FIELDS,
        label: 'Fields of a page',
      });
      const versions = findNames(getResources(profile, 'document'), VERSION_FIELDS);
      return versions.length === 0
        ? pages
        : { ...pages, observation: `${pages.observation} A version: ${formatCodes(versions)}.` };
    },
  },
  {
    name: 'link-gates',
    topic: 'objects',
    section: '§2',
    question: 'Under which names does a link show its gates: password, expiry, NDA, visitor cap, download?',
    assumptions: [
      'GATES',
      'GATE_CONTAINERS',
      'ON_VALUE',
      'OFF_VALUE',
      'mcp/GATE_SWITCH_FIELDS',
      'mcp/EXPIRY_FIELDS',
    ],
    mode: 'read',
    probe: 'The fields of all links that were read.',
    confirmedWhen: 'At least one gate stands under an assumed name.',
    evaluate: (profile) => {
      const table = Object.fromEntries(
        Object.entries(GATES).map(([gate, { names, ...rest }]) => [
          gate,
          [...names, ...('readNames' in rest ? rest.readNames : [])],
        ]),
      );
      return evaluateTable(getResources(profile, 'link'), { table, label: 'Gates of a link' });
    },
  },
  {
    name: 'room-links',
    topic: 'objects',
    section: '§2',
    question: 'What does a link to a room call the room?',
    assumptions: ['ROOM_FIELD'],
    mode: 'read',
    probe: 'The fields of all links that were read.',
    confirmedWhen: 'A field of the assumed name.',
    evaluate: (profile) =>
      evaluateNames(getResources(profile, 'link'), {
        names: [ROOM_FIELD, 'room.id', 'dataroom_id'],
        label: 'The room',
      }),
  },
  {
    name: 'room-parts',
    topic: 'objects',
    section: '§2',
    question: 'How does a room show its folders, files, groups and permissions?',
    assumptions: [
      'ROOM_PARTS',
      'ROOM_FILE_DOCUMENT',
      'PERMISSION_FIELDS',
      'ACCESS_LEVELS',
      'MATRIX_ENVELOPE_FIELDS',
      'mcp/PARENT_FOLDER_FIELDS',
    ],
    mode: 'read',
    probe: 'The fields of all rooms that were read.',
    confirmedWhen: 'At least one part stands under an assumed name.',
    evaluate: (profile) => {
      const [room] = getResources(profile, 'room');
      const table = Object.fromEntries(Object.entries(ROOM_PARTS).map(([part, name]) => [part, [name]]));
      const recipientFields = evaluateTable([room], { table, label: 'Parts of a room' });
      const files = findField(room, ROOM_PARTS.files)?.schema.items;
      const documents = findNames([files], ROOM_FILE_DOCUMENT);
      const matrix =
        findField(room, `${ROOM_PARTS.permissions}.${ROOM_PARTS.permissions}`)?.schema.items ??
        findField(room, ROOM_PARTS.permissions)?.schema.items;
      const entries = findNames([matrix], Object.values(PERMISSION_FIELDS).flat());
      const levels =
        findField(matrix, 'access')?.schema.enum?.filter((word) => String(word) in ACCESS_LEVELS) ?? [];
      const more = [
        documents.length > 0 ? `a file's document is ${formatCodes(documents)}` : '',
        entries.length > 0 ? `an entry of the matrix has ${formatCodes(entries)}` : '',
        levels.length > 0 ? `with ${formatCodes(levels.map(String))}` : '',
      ].filter(Boolean);
      return more.length === 0
        ? recipientFields
        : { ...recipientFields, observation: `${recipientFields.observation} In them, ${more.join(', ')}.` };
    },
  },
  {
    name: 'agreement-people',
    topic: 'objects',
    section: '§2',
    question: 'Where does an agreement hold the people it goes to, and what is one of them made of?',
    assumptions: [
      'RECIPIENT_FIELDS',
      'SIGNER_FIELDS',
      'SIGNER_EMAIL_PATHS',
      'SIGNER_ROLE_PATHS',
      'SIGNER_CONTAINERS',
      'SENDER_ROLES',
      'mcp/RECIPIENT_PROPERTIES',
    ],
    mode: 'read',
    probe: 'The fields of all agreements that were read.',
    confirmedWhen: 'A list under an assumed name.',
    evaluate: (profile) => {
      const [agreement] = getResources(profile, 'agreement');
      const result = evaluateNames([agreement], { names: RECIPIENT_FIELDS, label: 'The people' });
      const recipients = RECIPIENT_FIELDS.map((name) => findField(agreement, name)?.schema.items).find(
        Boolean,
      );
      const recipientFields = findNames([recipients], Object.values(SIGNER_FIELDS).flat());
      return recipientFields.length === 0
        ? result
        : {
            ...result,
            observation: `${result.observation} One of them has ${formatCodes(recipientFields)}.`,
          };
    },
  },
  {
    name: 'states',
    topic: 'objects',
    section: '§3',
    question: 'By which words do agreements and proposals say how far they are?',
    assumptions: [
      'SIGNED_STATES',
      'ENDED_STATES',
      'SENT_STATES',
      'SENT_OR_DRAFT_STATES',
      'STATUS_CHANGES',
      'AGREEMENT_CHANGES',
      'PROPOSAL_CHANGES',
      'mcp/DRAFT_STATES',
    ],
    mode: 'read',
    probe:
      'The states of all agreements and proposals that were read. Only words that are assumed are shown.',
    confirmedWhen: 'Every state that was met is an assumed word.',
    evaluate: (profile) => {
      const states = getResources(profile, 'agreement', 'proposal').flatMap((schema) =>
        findStatusField(schema),
      );
      if (states.length === 0) return notObserved('No agreement or proposal with a state was seen.');
      const text = [...new Set(states.flatMap(({ enum: all = [] }) => all.map(String)))];
      const known: readonly string[] = [
        ...SIGNED_STATES,
        ...ENDED_STATES,
        ...SENT_STATES,
        ...Object.values(STATUS_CHANGES).flat(),
        ...STATE_VALUES,
      ];
      return states.every((one) => one.enum?.every((word) => known.includes(String(word))))
        ? confirmed(`Words that were met: ${formatCodes(text)}.`)
        : different('A state has a word that is not assumed; what it is stands in your account.');
    },
  },
];

function findStatusField(schema: Parameters<typeof findField>[0]) {
  return RECORD_FIELDS.status.flatMap((name) => findField(schema, name)?.schema ?? []).slice(0, 1);
}
