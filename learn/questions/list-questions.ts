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
import type { LearnedList, ServiceProfile } from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import {
  confirmed,
  confirmedIf,
  different,
  evaluateNames,
  formatCodes,
  formatPaths,
  notObserved,
} from './evaluate.ts';
import type { Question } from './question.ts';

interface ProfiledList {
  readonly name: string;
  readonly resource: string;
  readonly list: LearnedList;
}

function getLists(profile: ServiceProfile): ProfiledList[] {
  return operations.flatMap(({ name, operation }) => {
    const operationProfile = profile.operations[name];
    return operationProfile?.list && (operationProfile.answer?.seen ?? 0) > 0
      ? [{ name, resource: operation.route.split('/').at(-1) ?? '', list: operationProfile.list }]
      : [];
  });
}

const includesName = (names: readonly string[], name: string) =>
  names.map(normalizeName).includes(normalizeName(name));

/** The list that says most about pages. */
function getPaginatedList(profile: ServiceProfile): LearnedList | undefined {
  const lists = getLists(profile).map(({ list }) => list);
  return lists.find(({ next }) => next !== undefined) ?? lists[0];
}

export const LIST_QUESTIONS: readonly Question[] = [
  {
    name: 'list-envelope',
    topic: 'lists',
    section: '§4',
    question: 'Where does a list stand in its answer?',
    assumptions: ['LIST_KEYS', 'ENVELOPE_KEYS', 'NON_LIST_ARRAYS', 'EMPTY_LIST_SIBLINGS', 'KIND_FIELDS'],
    mode: 'read',
    probe: 'Each list is read once, without a query.',
    confirmedWhen: 'The list is the answer, or stands under an assumed name.',
    evaluate: (profile) => {
      const lists = getLists(profile);
      if (lists.length === 0) return notObserved('No list was read.');
      const known = lists.every(({ list, resource }) =>
        list.at.every((name) => includesName([resource, ...LIST_KEYS, ...ENVELOPE_KEYS], name)),
      );
      const text = `${lists.length} ${lists.length === 1 ? 'list' : 'lists'}; entries under ${formatPaths(lists.map(({ list }) => list.at))}.`;
      return confirmedIf(known, text);
    },
  },
  {
    name: 'workspace-name',
    topic: 'lists',
    section: '§4',
    question: 'Do answers name the workspace that the key belongs to?',
    assumptions: ['WORKSPACE_NAMES', 'WORKSPACE_IDS', 'WORKSPACE_ENVELOPES'],
    mode: 'read',
    probe: 'The envelopes and entries of all lists are searched.',
    confirmedWhen: 'A field under an assumed name.',
    evaluate: (profile) => {
      const bodies = Object.values(profile.operations).map(({ answer: response }) => response?.body);
      const found = evaluateNames([...bodies, ...Object.values(profile.resources)], {
        names: [...WORKSPACE_NAMES, ...WORKSPACE_IDS],
        label: 'The workspace',
      });
      return found.outcome === 'confirmed' ? found : notObserved('No answer names it.');
    },
  },
  {
    name: 'next-page',
    topic: 'paging',
    section: '§4',
    question: 'How does a list go on behind its first page?',
    assumptions: [
      'PAGING_KEYS',
      'PAGING_CONTAINERS',
      'OTHER_PAGING_FIELDS',
      'PAGER_FIELDS',
      'PAGER_LABEL',
      'LINK_RELATIONS',
      'CURSOR_FIELDS',
      'ECHOED_CURSOR_FIELDS',
      'EMPTY_CURSOR_VALUES',
      'NEXT_URL_FIELDS',
      'LINK_FIELDS',
      'PAGE_PATH',
      'PAGING_HEADER',
      'PAGING_JSON_HEADERS',
      'PAGE_NUMBER_FIELDS',
      'PAGE_PARAMS',
      'PAGE_COUNT_FIELDS',
      'OFFSET_FIELDS',
      'TIME_ZONE_OFFSET',
      'OFFSET_PARAMS',
      'ONE_BASED_OFFSET_FIELDS',
      'MATCHING_POSITION_PARAMS',
      'AFTER_ID_PARAMS',
      'GUESSED_PAGE_PARAM',
      'GUESSED_OFFSET_PARAMS',
      'RARE_PAGE_PARAMS',
      'RARE_OFFSET_PARAMS',
    ],
    mode: 'read',
    probe:
      'The longest list is asked for pages of two entries, and each way on is tried until another page comes.',
    confirmedWhen: 'A way that the client knows led to another page.',
    evaluate: (profile) => {
      const list = getPaginatedList(profile);
      if (!list?.next) return notObserved('No list was longer than a page.');
      const { by, params, at, header, first } = list.next;
      if (by === 'none') return confirmed('Lists come whole.');
      const known = [
        ...Object.values(CURSOR_FIELDS).flatMap((names) => names.split(' ')),
        ...PAGE_PARAMS,
        ...OFFSET_PARAMS,
      ];
      const where = header ? `the header \`${header}\`` : at ? `\`${at.join('.')}\`` : 'nothing';
      const text = `By ${by}: ${where} in the answer says so, ${params.length > 0 ? `${formatCodes(params)} asks for it` : 'and is asked for as it is'}${first === undefined ? '' : `, counted from ${first}`}.`;
      return by === 'address' || params.some((name) => name === '/' || includesName(known, name))
        ? confirmed(text)
        : different(text);
    },
  },
  {
    name: 'more-follows',
    topic: 'paging',
    section: '§4',
    question: 'Which field says that more follows, or that this page is the last?',
    assumptions: [
      'HAS_MORE_FIELDS',
      'IS_LAST_FIELDS',
      'REMAINING_FIELDS',
      'REMAINING_ITEM_FIELDS',
      'QUOTA_FIELDS',
      'TRUE_VALUES',
      'FALSE_VALUES',
    ],
    mode: 'read',
    probe: 'A page that is surely followed by another is compared with one that is not.',
    confirmedWhen: 'A field under an assumed name changes with it.',
    evaluate: (profile) => {
      const list = getPaginatedList(profile);
      if (!list?.next) return notObserved('No list was longer than a page.');
      if (!list.more) return confirmed('No field says so; the way on itself does.');
      const name = list.more.at.at(-1) ?? '';
      const text = `\`${list.more.at.join('.')}\`: ${JSON.stringify(list.more.means)} where more follows.`;
      return confirmedIf(includesName([...HAS_MORE_FIELDS, ...IS_LAST_FIELDS], name), text);
    },
  },
  {
    name: 'list-total',
    topic: 'paging',
    section: '§4',
    question: 'Does a list count all its entries, and under which name?',
    assumptions: ['TOTAL_FIELDS', 'COUNT_FIELDS', 'TOTAL_RELATION', 'LOWER_BOUND_RELATIONS'],
    mode: 'read',
    probe: 'The fields around each list are compared with what came.',
    confirmedWhen: 'A field under an assumed name counts them.',
    evaluate: (profile) => {
      const lists = getLists(profile);
      if (lists.length === 0) return notObserved('No list was read.');
      const total = lists.find(({ list }) => list.total)?.list.total;
      if (!total) return notObserved('No field counts all entries.');
      const text = `\`${total.join('.')}\` counts all entries.`;
      return confirmedIf(includesName([...TOTAL_FIELDS, 'count'], total.at(-1) ?? ''), text);
    },
  },
  {
    name: 'page-size',
    topic: 'paging',
    section: '§4',
    question: 'Which parameter asks for a page size, how large is a page, and how large can it be?',
    assumptions: ['LIST_PARAMS', 'SIZE_FIELDS', 'USUAL_PAGE_SIZES', 'MAX_PAGE_SIZE'],
    mode: 'read',
    probe: 'Pages of two entries are asked for by each usual name, then one of a thousand.',
    confirmedWhen: 'The parameter that the client uses works.',
    evaluate: (profile) => {
      const { size } = getPaginatedList(profile) ?? {};
      if (!size || Object.keys(size).length === 0) return notObserved('No list was long enough to tell.');
      const text = [
        size.param === undefined ? 'no usual parameter changes it' : `\`${size.param}\` asks for it`,
        size.usual === undefined ? '' : `${size.usual} unless asked`,
        size.max === undefined ? '' : `${size.max} at most`,
      ].filter(Boolean);
      const sizes = [size.usual, size.max].filter((one) => one !== undefined);
      const isUsual = sizes.every((one) => one < 10 || USUAL_PAGE_SIZES.includes(one));
      const sentence = `Page size: ${text.join(', ')}.`;
      return size.param === LIST_PARAMS.limit || (includesName(SIZE_FIELDS, size.param ?? '') && isUsual)
        ? confirmed(sentence)
        : different(sentence);
    },
  },
  {
    name: 'no-such-page',
    topic: 'paging',
    section: '§7',
    question: 'How is a query refused that can not be meant?',
    assumptions: [
      'PAGE_NOT_FOUND_STATUSES',
      'PAGE_GONE_STATUSES',
      'PAGE_NOT_FOUND_TEXT',
      'FAILURE_TEXT',
      'UNRELATED_STATUSES',
    ],
    mode: 'read',
    probe: 'A page of the size "none" is asked for.',
    confirmedWhen: 'One of the assumed statuses, or the list as without it.',
    evaluate: ({ rejections, operations: operationProfiles }) => {
      const response = rejections.badBody;
      if (response?.seen === 0) {
        const text = `Refused with ${response.status}.`;
        return confirmedIf(PAGE_NOT_FOUND_STATUSES.includes(response.status), text);
      }
      return Object.values(operationProfiles).some((one) => one?.list?.size.param) && !response
        ? confirmed('The parameter is ignored where it makes no sense.')
        : notObserved('It was not asked.');
    },
  },
];
