import { normalizeName } from '../../src/answer/fields.ts';
import {
  CURSOR_FIELDS,
  ENVELOPE_KEYS,
  HAS_MORE_FIELDS,
  IS_LAST_FIELDS,
  LIST_KEYS,
  LIST_PARAMS,
  OFFSET_PARAMS,
  PAGE_NOT_FOUND_STATUSES,
  PAGE_PARAMS,
  SIZE_FIELDS,
  TOTAL_FIELDS,
  USUAL_PAGE_SIZES,
  WORKSPACE_IDS,
  WORKSPACE_NAMES,
} from '../../src/assumptions/index.ts';
import { operations } from '../../src/operations/index.ts';
import type { ListProfile, ServiceProfile } from '../../src/profile/format.ts';
import { codes, confirmed, judged, judgeNames, other, places, unseen } from './judging.ts';
import type { Question } from './question.ts';

interface Listed {
  readonly name: string;
  readonly resource: string;
  readonly list: ListProfile;
}

function getLists(learned: ServiceProfile): Listed[] {
  return operations.flatMap(({ name, operation }) => {
    const called = learned.operations[name];
    return called?.list && (called.answer?.seen ?? 0) > 0
      ? [{ name, resource: operation.route.split('/').at(-1) ?? '', list: called.list }]
      : [];
  });
}

const among = (names: readonly string[], name: string) =>
  names.map(normalizeName).includes(normalizeName(name));

/** The list that says most about pages. */
function paged(learned: ServiceProfile): ListProfile | undefined {
  const lists = getLists(learned).map(({ list }) => list);
  return lists.find(({ next }) => next !== undefined) ?? lists[0];
}

export const LIST_QUESTIONS: readonly Question[] = [
  {
    name: 'list-envelope',
    topic: 'lists',
    section: '§4',
    asks: 'Where does a list stand in its answer?',
    settles: ['LIST_KEYS', 'ENVELOPE_KEYS', 'SIDE_LISTS', 'BESIDE_NO_LIST', 'KIND_FIELDS'],
    mode: 'read',
    probed: 'Each list is read once, without a query.',
    confirmedBy: 'The list is the answer, or stands under an assumed name.',
    judge: (learned) => {
      const lists = getLists(learned);
      if (lists.length === 0) return unseen('No list was read.');
      const known = lists.every(({ list, resource }) =>
        list.at.every((name) => among([resource, ...LIST_KEYS, ...ENVELOPE_KEYS], name)),
      );
      const words = `${lists.length} ${lists.length === 1 ? 'list' : 'lists'}; entries under ${places(lists.map(({ list }) => list.at))}.`;
      return judged(known, words);
    },
  },
  {
    name: 'workspace-name',
    topic: 'lists',
    section: '§4',
    asks: 'Do answers name the workspace that the key belongs to?',
    settles: ['WORKSPACE_NAMES', 'WORKSPACE_IDS', 'WORKSPACE_ENVELOPES'],
    mode: 'read',
    probed: 'The envelopes and entries of all lists are searched.',
    confirmedBy: 'A field under an assumed name.',
    judge: (learned) => {
      const bodies = Object.values(learned.operations).map(({ answer }) => answer?.body);
      const found = judgeNames([...bodies, ...Object.values(learned.resources)], {
        names: [...WORKSPACE_NAMES, ...WORKSPACE_IDS],
        what: 'The workspace',
      });
      return found.verdict === 'confirmed' ? found : unseen('No answer names it.');
    },
  },
  {
    name: 'next-page',
    topic: 'paging',
    section: '§4',
    asks: 'How does a list go on behind its first page?',
    settles: [
      'PAGING_KEYS',
      'PAGING_HOLDERS',
      'BESIDE_PAGING',
      'PAGER_FIELDS',
      'PAGER_LABEL',
      'PAGE_RELATIONS',
      'CURSOR_FIELDS',
      'CURSOR_ECHOES',
      'NO_CURSOR',
      'NEXT_ADDRESS_FIELDS',
      'LINK_FIELDS',
      'PAGE_PATH',
      'PAGING_HEADER',
      'PAGING_JSON_HEADERS',
      'PAGE_NUMBER_FIELDS',
      'PAGE_PARAMS',
      'LAST_PAGE_FIELDS',
      'OFFSET_FIELDS',
      'CLOCK_OFFSET',
      'OFFSET_PARAMS',
      'OFFSET_FROM_ONE',
      'FAMILY_PARAMS',
      'AFTER_ID_PARAMS',
      'GUESSED_PAGE_PARAM',
      'GUESSED_OFFSET_PARAMS',
      'RARE_PAGE_PARAMS',
      'RARE_OFFSET_PARAMS',
    ],
    mode: 'read',
    probed:
      'The longest list is asked for pages of two entries, and each way on is tried until another page comes.',
    confirmedBy: 'A way that the client knows led to another page.',
    judge: (learned) => {
      const list = paged(learned);
      if (!list?.next) return unseen('No list was longer than a page.');
      const { by, params, at, header, first } = list.next;
      if (by === 'none') return confirmed('Lists come whole.');
      const known = [
        ...Object.values(CURSOR_FIELDS).flatMap((names) => names.split(' ')),
        ...PAGE_PARAMS,
        ...OFFSET_PARAMS,
      ];
      const where = header ? `the header \`${header}\`` : at ? `\`${at.join('.')}\`` : 'nothing';
      const words = `By ${by}: ${where} in the answer says so, ${params.length > 0 ? `${codes(params)} asks for it` : 'and is asked for as it is'}${first === undefined ? '' : `, counted from ${first}`}.`;
      return by === 'address' || params.some((name) => name === '/' || among(known, name))
        ? confirmed(words)
        : other(words);
    },
  },
  {
    name: 'more-follows',
    topic: 'paging',
    section: '§4',
    asks: 'Which field says that more follows, or that this page is the last?',
    settles: [
      'MORE_FIELDS',
      'LAST_FIELDS',
      'REMAINING_FIELDS',
      'REMAINING_ITEM_FIELDS',
      'BESIDE_OTHER_REMAINDERS',
      'YES_WORDS',
      'NO_WORDS',
    ],
    mode: 'read',
    probed: 'A page that is surely followed by another is compared with one that is not.',
    confirmedBy: 'A field under an assumed name changes with it.',
    judge: (learned) => {
      const list = paged(learned);
      if (!list?.next) return unseen('No list was longer than a page.');
      if (!list.more) return confirmed('No field says so; the way on itself does.');
      const name = list.more.at.at(-1) ?? '';
      const words = `\`${list.more.at.join('.')}\`: ${JSON.stringify(list.more.means)} where more follows.`;
      return judged(among([...HAS_MORE_FIELDS, ...IS_LAST_FIELDS], name), words);
    },
  },
  {
    name: 'list-total',
    topic: 'paging',
    section: '§4',
    asks: 'Does a list count all its entries, and under which name?',
    settles: ['TOTAL_FIELDS', 'COUNT_FIELDS', 'TOTAL_RELATION', 'AT_LEAST'],
    mode: 'read',
    probed: 'The fields around each list are compared with what came.',
    confirmedBy: 'A field under an assumed name counts them.',
    judge: (learned) => {
      const lists = getLists(learned);
      if (lists.length === 0) return unseen('No list was read.');
      const total = lists.find(({ list }) => list.total)?.list.total;
      if (!total) return unseen('No field counts all entries.');
      const words = `\`${total.join('.')}\` counts all entries.`;
      return judged(among([...TOTAL_FIELDS, 'count'], total.at(-1) ?? ''), words);
    },
  },
  {
    name: 'page-size',
    topic: 'paging',
    section: '§4',
    asks: 'Which parameter asks for a page size, how large is a page, and how large can it be?',
    settles: ['LIST_QUERY', 'SIZE_FIELDS', 'USUAL_PAGE_SIZES', 'WHOLE_LIST_PAGE'],
    mode: 'read',
    probed: 'Pages of two entries are asked for by each usual name, then one of a thousand.',
    confirmedBy: 'The parameter that the client uses works.',
    judge: (learned) => {
      const { size } = paged(learned) ?? {};
      if (!size || Object.keys(size).length === 0) return unseen('No list was long enough to tell.');
      const words = [
        size.param === undefined ? 'no usual parameter changes it' : `\`${size.param}\` asks for it`,
        size.usual === undefined ? '' : `${size.usual} unless asked`,
        size.most === undefined ? '' : `${size.most} at most`,
      ].filter(Boolean);
      const sizes = [size.usual, size.most].filter((one) => one !== undefined);
      const isUsual = sizes.every((one) => one < 10 || USUAL_PAGE_SIZES.includes(one));
      const sentence = `Page size: ${words.join(', ')}.`;
      return size.param === LIST_PARAMS.limit || (among(SIZE_FIELDS, size.param ?? '') && isUsual)
        ? confirmed(sentence)
        : other(sentence);
    },
  },
  {
    name: 'no-such-page',
    topic: 'paging',
    section: '§7',
    asks: 'How is a query refused that can not be meant?',
    settles: ['NO_SUCH_PAGE', 'GONE_PAGE', 'NO_SUCH_PAGE_WORDS', 'TROUBLE_WORDS', 'NOT_OF_THE_PAGE'],
    mode: 'read',
    probed: 'A page of the size "none" is asked for.',
    confirmedBy: 'One of the assumed statuses, or the list as without it.',
    judge: ({ refusals, operations: called }) => {
      const answer = refusals.badBody;
      if (answer?.seen === 0) {
        const words = `Refused with ${answer.status}.`;
        return judged(PAGE_NOT_FOUND_STATUSES.includes(answer.status), words);
      }
      return Object.values(called).some((one) => one?.list?.size.param) && !answer
        ? confirmed('The parameter is ignored where it makes no sense.')
        : unseen('It was not asked.');
    },
  },
];
