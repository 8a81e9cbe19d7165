import { getTextFilters, LIST_ORDERS } from '../../src/assumptions/index.ts';
import type { ListProfile, ServiceProfile } from '../../src/profile/format.ts';
import { TIME_PARAMS } from '../assumptions.ts';
import { codes, confirmed, other, unseen } from './judging.ts';
import type { Finding, Question } from './question.ts';

const FILTERS = Object.keys({ ...getTextFilters('a'), ...getTextFilters('a@b') });
const SORTS = Object.keys(LIST_ORDERS.created);

function told(learned: ServiceProfile, names: readonly string[]): [string, ListProfile['query'][string]][] {
  const all = Object.values(learned.operations).flatMap((one) => Object.entries(one?.list?.query ?? {}));
  return [...new Map(all)].filter(([name]) => names.includes(name.split('=')[0] ?? ''));
}

function judgeParams(learned: ServiceProfile, names: readonly string[], does: 'narrows' | 'sorts'): Finding {
  const seen = told(learned, names);
  if (seen.length === 0) return unseen('There were not enough entries to tell.');
  const doing = seen.filter(([, what]) => what === does).map(([name]) => name);
  const refused = seen.filter(([, what]) => what === 'refused').map(([name]) => name);
  const rest = refused.length > 0 ? ` Refused: ${codes(refused)}.` : '';
  if (doing.length > 0)
    return confirmed(`${codes(doing)} ${does === 'sorts' ? 'sorts' : 'narrows'} the list.${rest}`);
  return other(`None of ${codes(seen.map(([name]) => name))} changes what comes.${rest}`);
}

export const QUERY_QUESTIONS: readonly Question[] = [
  {
    name: 'filters',
    topic: 'query',
    section: '§4',
    asks: 'Which parameters narrow a list to a text?',
    settles: ['listFilters', 'mcp/MATCH_PARAMS'],
    mode: 'read',
    probed: 'A text that no entry holds is asked for under each name, then one that an entry holds.',
    confirmedBy: 'At least one of the assumed names narrows the list.',
    judge: (learned) => judgeParams(learned, FILTERS, 'narrows'),
  },
  {
    name: 'since',
    topic: 'query',
    section: '§4',
    asks: 'Which parameters narrow a list to a stretch of time?',
    settles: ['mcp/SINCE_PARAMS', 'mcp/UNTIL_PARAMS'],
    mode: 'read',
    probed: 'Entries made after a time that has not come are asked for under each name.',
    confirmedBy: 'At least one of the assumed names narrows the list.',
    judge: (learned) => judgeParams(learned, TIME_PARAMS, 'narrows'),
  },
  {
    name: 'sorting',
    topic: 'query',
    section: '§4',
    asks: 'What is a list ordered by, and which parameters change it?',
    settles: ['LIST_ORDERS'],
    mode: 'read',
    probed: 'The order against the one that the list has is asked for in the usual ways.',
    confirmedBy: 'At least one of the assumed ways changes the order.',
    judge: (learned) => {
      const orders = Object.values(learned.operations).flatMap((one) => one?.list?.order ?? []);
      const begins = orders.length > 0 ? ` Lists begin with the ${orders[0]}.` : '';
      const finding = judgeParams(learned, SORTS, 'sorts');
      return { ...finding, seen: `${finding.seen}${begins}` };
    },
  },
];
