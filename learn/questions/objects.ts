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
import { STATE_WORDS } from '../assumptions.ts';
import {
  allResources,
  codes,
  confirmed,
  fieldIn,
  judged,
  judgeNames,
  judgeTable,
  namesIn,
  other,
  places,
  resources,
  unseen,
} from './judging.ts';
import type { Question } from './question.ts';

export const OBJECT_QUESTIONS: readonly Question[] = [
  {
    name: 'item-envelope',
    topic: 'objects',
    section: '§2',
    asks: 'Is a single object the answer, or wrapped in it?',
    settles: ['ITEM_KEYS', 'ENVELOPE_SIBLINGS', 'ATTRIBUTES_FIELD'],
    mode: 'read',
    probed: 'One object of each kind is read.',
    confirmedBy: 'It is the answer itself, or stands under an assumed name.',
    judge: ({ operations: called }) => {
      const seen = operations.flatMap(({ name, group }) => {
        const one = called[name];
        return one?.item && (one.answer?.seen ?? 0) > 0 ? [{ at: one.item, group }] : [];
      });
      if (seen.length === 0) return unseen('No single object was read.');
      const isKnown = seen.every(({ at, group }) =>
        at.every((name) =>
          [...ENVELOPE_KEYS, ...ITEM_KEYS, group, group.replace(/s$/, '')].includes(name.toLowerCase()),
        ),
      );
      const words = `Objects stand under ${places(seen.map(({ at }) => at))}.`;
      return judged(isKnown, words);
    },
  },
  {
    name: 'ids',
    topic: 'objects',
    section: '§2',
    asks: 'Which field holds the id of an object, and what form do ids have?',
    settles: ['ID_FIELDS'],
    mode: 'read',
    probed: 'The fields of all objects that were read.',
    confirmedBy: 'A field under an assumed name.',
    judge: (learned) => {
      const finding = judgeNames(allResources(learned), { names: ID_FIELDS, what: 'The id' });
      const { ids } = learned.facts;
      return ids === undefined ? finding : { ...finding, seen: `${finding.seen} Ids are ${ids}.` };
    },
  },
  {
    name: 'titles',
    topic: 'objects',
    section: '§2',
    asks: 'Which field names an object for people?',
    settles: ['TITLE_FIELDS', 'NAME_FIELDS', 'mcp/SOUGHT_FIELDS', 'mcp/HARMLESS_FIELDS'],
    mode: 'read',
    probed: 'The fields of all objects that were read.',
    confirmedBy: 'A field under an assumed name.',
    judge: (learned) => judgeNames(allResources(learned), { names: TITLE_FIELDS, what: 'The title' }),
  },
  {
    name: 'times',
    topic: 'objects',
    section: '§2',
    asks: 'Which field says when an object was made, and how are times written?',
    settles: ['CREATED_FIELDS', 'mcp/HAPPENED_FIELDS'],
    mode: 'read',
    probed: 'The fields of all objects that were read.',
    confirmedBy: 'A field under an assumed name.',
    judge: (learned) => {
      const finding = judgeNames(allResources(learned), {
        names: CREATED_FIELDS,
        what: 'The time of creation',
      });
      const { times } = learned.facts;
      return times === undefined
        ? finding
        : { ...finding, seen: `${finding.seen} Times are written as ${times}.` };
    },
  },
  {
    name: 'records',
    topic: 'objects',
    section: '§2',
    asks: 'Under which names do records hold what people want to see of them?',
    settles: ['RECORD_FIELDS'],
    mode: 'read',
    probed: 'The fields of all objects that were read.',
    confirmedBy: 'At least one of the assumed names of the table is there.',
    judge: (learned) =>
      judgeTable(allResources(learned), { table: RECORD_FIELDS, what: 'Values of records' }),
  },
  {
    name: 'document-pages',
    topic: 'objects',
    section: '§4',
    asks: 'What does a page of a document say, and what a version?',
    settles: ['PAGE_FIELDS', 'VERSION_FIELDS'],
    mode: 'read',
    probed: 'A document and its pages are read.',
    confirmedBy: 'At least one of the assumed names of the table is there.',
    judge: (learned) => {
      const pages = judgeTable(resources(learned, 'page'), { table: PAGE_FIELDS, what: 'Fields of a page' });
      const versions = namesIn(resources(learned, 'document'), VERSION_FIELDS);
      return versions.length === 0
        ? pages
        : { ...pages, seen: `${pages.seen} A version: ${codes(versions)}.` };
    },
  },
  {
    name: 'link-gates',
    topic: 'objects',
    section: '§2',
    asks: 'Under which names does a link show its gates: password, expiry, NDA, visitor cap, download?',
    settles: ['GATES', 'GATE_HOLDERS', 'SAYS_ON', 'SAYS_OFF', 'mcp/GATE_FIELDS', 'mcp/EXPIRY_FIELDS'],
    mode: 'read',
    probed: 'The fields of all links that were read.',
    confirmedBy: 'At least one gate stands under an assumed name.',
    judge: (learned) => {
      const table = Object.fromEntries(
        Object.entries(GATES).map(([gate, { names, ...rest }]) => [
          gate,
          [...names, ...('readNames' in rest ? rest.readNames : [])],
        ]),
      );
      return judgeTable(resources(learned, 'link'), { table, what: 'Gates of a link' });
    },
  },
  {
    name: 'room-links',
    topic: 'objects',
    section: '§2',
    asks: 'What does a link to a room call the room?',
    settles: ['ROOM_FIELD'],
    mode: 'read',
    probed: 'The fields of all links that were read.',
    confirmedBy: 'A field of the assumed name.',
    judge: (learned) =>
      judgeNames(resources(learned, 'link'), {
        names: [ROOM_FIELD, 'room.id', 'dataroom_id'],
        what: 'The room',
      }),
  },
  {
    name: 'room-parts',
    topic: 'objects',
    section: '§2',
    asks: 'How does a room show its folders, files, groups and permissions?',
    settles: [
      'ROOM_PARTS',
      'ROOM_FILE_DOCUMENT',
      'PERMISSION_FIELDS',
      'ACCESS_LEVELS',
      'MATRIX_ENVELOPE',
      'mcp/FOLDER_FIELDS',
    ],
    mode: 'read',
    probed: 'The fields of all rooms that were read.',
    confirmedBy: 'At least one part stands under an assumed name.',
    judge: (learned) => {
      const [room] = resources(learned, 'room');
      const table = Object.fromEntries(Object.entries(ROOM_PARTS).map(([part, name]) => [part, [name]]));
      const parts = judgeTable([room], { table, what: 'Parts of a room' });
      const files = fieldIn(room, ROOM_PARTS.files)?.schema.items;
      const documents = namesIn([files], ROOM_FILE_DOCUMENT);
      const matrix =
        fieldIn(room, `${ROOM_PARTS.permissions}.${ROOM_PARTS.permissions}`)?.schema.items ??
        fieldIn(room, ROOM_PARTS.permissions)?.schema.items;
      const entries = namesIn([matrix], Object.values(PERMISSION_FIELDS).flat());
      const levels =
        fieldIn(matrix, 'access')?.schema.enum?.filter((word) => String(word) in ACCESS_LEVELS) ?? [];
      const more = [
        documents.length > 0 ? `a file's document is ${codes(documents)}` : '',
        entries.length > 0 ? `an entry of the matrix has ${codes(entries)}` : '',
        levels.length > 0 ? `with ${codes(levels.map(String))}` : '',
      ].filter(Boolean);
      return more.length === 0 ? parts : { ...parts, seen: `${parts.seen} In them, ${more.join(', ')}.` };
    },
  },
  {
    name: 'agreement-people',
    topic: 'objects',
    section: '§2',
    asks: 'Where does an agreement hold the people it goes to, and what is one of them made of?',
    settles: [
      'RECIPIENT_FIELDS',
      'SIGNER_FIELDS',
      'SIGNER_EMAIL_PATHS',
      'SIGNER_ROLE_PATHS',
      'SIGNER_HOLDERS',
      'SENDER_ROLES',
      'mcp/PERSON_FIELDS',
    ],
    mode: 'read',
    probed: 'The fields of all agreements that were read.',
    confirmedBy: 'A list under an assumed name.',
    judge: (learned) => {
      const [agreement] = resources(learned, 'agreement');
      const finding = judgeNames([agreement], { names: RECIPIENT_FIELDS, what: 'The people' });
      const people = RECIPIENT_FIELDS.map((name) => fieldIn(agreement, name)?.schema.items).find(Boolean);
      const parts = namesIn([people], Object.values(SIGNER_FIELDS).flat());
      return parts.length === 0
        ? finding
        : { ...finding, seen: `${finding.seen} One of them has ${codes(parts)}.` };
    },
  },
  {
    name: 'states',
    topic: 'objects',
    section: '§3',
    asks: 'By which words do agreements and proposals say how far they are?',
    settles: [
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
    probed:
      'The states of all agreements and proposals that were read. Only words that are assumed are shown.',
    confirmedBy: 'Every state that was met is an assumed word.',
    judge: (learned) => {
      const states = resources(learned, 'agreement', 'proposal').flatMap((schema) => fieldOfState(schema));
      if (states.length === 0) return unseen('No agreement or proposal with a state was seen.');
      const words = [...new Set(states.flatMap(({ enum: all = [] }) => all.map(String)))];
      const known: readonly string[] = [
        ...SIGNED_STATES,
        ...ENDED_STATES,
        ...SENT_STATES,
        ...Object.values(STATUS_CHANGES).flat(),
        ...STATE_WORDS,
      ];
      return states.every((one) => one.enum?.every((word) => known.includes(String(word))))
        ? confirmed(`Words that were met: ${codes(words)}.`)
        : other('A state has a word that is not assumed; what it is stands in your account.');
    },
  },
];

function fieldOfState(schema: Parameters<typeof fieldIn>[0]) {
  return RECORD_FIELDS.status.flatMap((name) => fieldIn(schema, name)?.schema ?? []).slice(0, 1);
}
