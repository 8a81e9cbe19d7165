import * as assumed from '../../src/assumptions/index.ts';
import { getListProfiles } from '../../src/profile/profile-fields.ts';
import type { ListProfile, ServiceProfile } from '../../src/profile/service-profile.ts';
import { includesName } from '../../src/records/fields.ts';
import { splitWords } from '../../src/split-words.ts';
import { formatCount } from '../format-count.ts';
import { confirmed, confirmedIf, evaluateNames, formatAsCode, formatPaths, notObserved } from './evaluate.ts';
import type { QuestionTable } from './question.ts';

/** Returns the list that reveals most about pagination. */
function getPaginatedList(profile: ServiceProfile): ListProfile | undefined {
  const lists = getListProfiles(profile).map(({ list }) => list);
  return lists.find(({ next }) => next !== undefined) ?? lists[0];
}

export const LIST_QUESTIONS: QuestionTable = {
  'list-envelope': {
    topic: 'lists',
    section: '§4',
    question: 'Where are list items in the response?',
    assumptions: ['LIST_KEYS', 'ENVELOPE_KEYS', 'NON_LIST_ARRAYS', 'EMPTY_LIST_SIBLINGS', 'KIND_FIELDS'],
    evaluate: (profile) => {
      const lists = getListProfiles(profile);
      if (lists.length === 0) return notObserved('No list was read.');
      const known = lists.every(({ list, name }) =>
        list.at.every((part) => includesName([name, ...assumed.LIST_KEYS, ...assumed.ENVELOPE_KEYS], part)),
      );
      const paths = formatPaths(lists.map(({ list }) => list.at));
      return confirmedIf(known, `${formatCount(lists.length, 'list')}; items in ${paths}.`);
    },
  },
  'workspace-name': {
    topic: 'lists',
    section: '§4',
    question: 'Do responses name the workspace that the key belongs to?',
    assumptions: ['WORKSPACE_NAME_FIELDS', 'WORKSPACE_ID_FIELDS', 'WORKSPACE_ENVELOPES'],
    evaluate: (profile) => {
      const bodies = Object.values(profile.operations).map(({ response }) => response?.body);
      const found = evaluateNames([...bodies, ...Object.values(profile.resources)], {
        names: [...assumed.WORKSPACE_NAME_FIELDS, ...assumed.WORKSPACE_ID_FIELDS],
        label: 'The workspace',
      });
      return found.outcome === 'confirmed' ? found : notObserved('No response names it.');
    },
  },
  'next-page': {
    topic: 'paging',
    section: '§4',
    question: 'How are lists paginated?',
    assumptions: splitWords(`
      PAGING_KEYS PAGING_CONTAINERS OTHER_PAGING_FIELDS PAGER_FIELDS PAGER_LABEL_PATTERN LINK_RELATIONS
      CURSOR_FIELDS ECHOED_CURSOR_FIELDS EMPTY_CURSOR_VALUES NEXT_URL_FIELDS LINK_FIELDS PAGE_PATH_PATTERN
      PAGING_HEADER_PATTERN PAGING_JSON_HEADERS PAGE_NUMBER_FIELDS PAGE_PARAMS PAGE_COUNT_FIELDS OFFSET_FIELDS
      TIME_ZONE_OFFSET_PATTERN OFFSET_PARAMS ONE_BASED_OFFSET_FIELDS POSITION_PARAM_BY_SIZE_PARAM AFTER_ID_PARAMS
      GUESSED_PAGE_PARAM GUESSED_OFFSET_PARAMS RARE_PAGE_PARAMS RARE_OFFSET_PARAMS
    `),
    evaluate: (profile) => {
      const list = getPaginatedList(profile);
      if (!list?.next) return notObserved('No list had more than one page.');
      const { by, params, at, header, first } = list.next;
      if (by === 'none') return confirmed('Lists are not paginated.');
      const known = [
        ...Object.values(assumed.CURSOR_FIELDS).flatMap((names) => names.split(' ')),
        ...assumed.PAGE_PARAMS,
        ...assumed.OFFSET_PARAMS,
      ];
      const source = header ? `the header \`${header}\`` : at ? `\`${at.join('.')}\`` : 'no field';
      const request = params.length > 0 ? `requested with ${formatAsCode(params)}` : 'requested as is';
      const text = `By ${by}: ${source} names the next page, ${request}${first === undefined ? '' : `, counted from ${first}`}.`;
      const isKnown = by === 'url' || params.some((name) => name === '/' || includesName(known, name));
      return confirmedIf(isKnown, text);
    },
  },
  'more-follows': {
    topic: 'paging',
    section: '§4',
    question: 'Which field says that there are more pages, or that this page is the last?',
    assumptions: splitWords(`
      HAS_MORE_FIELDS IS_LAST_FIELDS REMAINING_FIELDS REMAINING_ITEM_FIELDS QUOTA_FIELDS TRUE_VALUES
      FALSE_VALUES
    `),
    evaluate: (profile) => {
      const list = getPaginatedList(profile);
      if (!list?.next) return notObserved('No list had more than one page.');
      if (!list.more) return confirmed('No field; only the next page itself shows it.');
      const name = list.more.at.at(-1) ?? '';
      const text = `\`${list.more.at.join('.')}\` is ${JSON.stringify(list.more.means)} if there are more pages.`;
      return confirmedIf(includesName([...assumed.HAS_MORE_FIELDS, ...assumed.IS_LAST_FIELDS], name), text);
    },
  },
  'list-total': {
    topic: 'paging',
    section: '§4',
    question: 'Does a list report its total count, and in which field?',
    assumptions: ['TOTAL_FIELDS', 'COUNT_FIELDS', 'TOTAL_RELATION_FIELD', 'LOWER_BOUND_RELATIONS'],
    evaluate: (profile) => {
      const lists = getListProfiles(profile);
      if (lists.length === 0) return notObserved('No list was read.');
      const total = lists.find(({ list }) => list.total)?.list.total;
      if (!total) return notObserved('No field holds the total.');
      const text = `\`${total.join('.')}\` holds the total.`;
      return confirmedIf(includesName([...assumed.TOTAL_FIELDS, 'count'], total.at(-1) ?? ''), text);
    },
  },
  'page-size': {
    topic: 'paging',
    section: '§4',
    question: 'Which parameter sets the page size, and what are its default and maximum?',
    assumptions: ['LIST_PARAMS', 'SIZE_FIELDS', 'USUAL_PAGE_SIZES', 'MAX_PAGE_SIZE', 'DEFAULT_PAGE_SIZE'],
    evaluate: (profile) => {
      const { size } = getPaginatedList(profile) ?? {};
      if (!size || Object.keys(size).length === 0) return notObserved('No list was long enough to tell.');
      const text = [
        size.param === undefined ? 'no usual parameter sets it' : `set with \`${size.param}\``,
        size.default === undefined ? '' : `default ${size.default}`,
        size.max === undefined ? '' : `maximum ${size.max}`,
      ].filter(Boolean);
      const sizes = [size.default, size.max].filter((one) => one !== undefined);
      const isUsual = sizes.every((one) => one < 10 || assumed.USUAL_PAGE_SIZES.includes(one));
      const isKnown =
        size.param === assumed.LIST_PARAMS.limit || (includesName(assumed.SIZE_FIELDS, size.param ?? '') && isUsual);
      return confirmedIf(isKnown, `Page size: ${text.join(', ')}.`);
    },
  },
  'no-such-page': {
    topic: 'paging',
    section: '§7',
    question: 'How is an invalid query rejected?',
    assumptions: splitWords(`
      PAGE_REJECTED_STATUSES MISSING_PAGE_STATUSES PAGE_REJECTED_PATTERN OTHER_FAILURE_PATTERN NON_PAGE_ERROR_STATUSES
    `),
    evaluate: ({ rejections, operations: operationProfiles }) => {
      const response = rejections.badQuery;
      if (response) {
        const text = `Rejected with ${response.status}.`;
        return confirmedIf(assumed.PAGE_REJECTED_STATUSES.includes(response.status), text);
      }
      return Object.values(operationProfiles).some((one) => one?.list?.size.param)
        ? confirmed('An invalid value is ignored.')
        : notObserved('It was not tried.');
    },
  },
};
