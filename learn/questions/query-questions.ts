import { getTextFilters, LIST_ORDERS } from '../../src/assumptions/index.ts';
import type { LearnedList, ServiceProfile } from '../../src/profile/service-profile.ts';
import { TIME_PARAMS } from '../assumptions.ts';
import { confirmed, different, formatCodes, notObserved } from './evaluate.ts';
import type { EvaluationResult, Question } from './question.ts';

const FILTER_PARAMS = Object.keys({ ...getTextFilters('a'), ...getTextFilters('a@b') });
const SORT_PARAMS = Object.keys(LIST_ORDERS.created);

function getQueryEffects(
  profile: ServiceProfile,
  names: readonly string[],
): [string, LearnedList['query'][string]][] {
  const all = Object.values(profile.operations).flatMap((one) => Object.entries(one?.list?.query ?? {}));
  return [...new Map(all)].filter(([name]) => names.includes(name.split('=')[0] ?? ''));
}

function evaluateParams(
  profile: ServiceProfile,
  names: readonly string[],
  expectedEffect: 'narrows' | 'sorts',
): EvaluationResult {
  const seen = getQueryEffects(profile, names);
  if (seen.length === 0) return notObserved('There were not enough entries to tell.');
  const effective = seen.filter(([, effect]) => effect === expectedEffect).map(([name]) => name);
  const rejected = seen.filter(([, effect]) => effect === 'refused').map(([name]) => name);
  const rest = rejected.length > 0 ? ` Refused: ${formatCodes(rejected)}.` : '';
  if (effective.length > 0)
    return confirmed(
      `${formatCodes(effective)} ${expectedEffect === 'sorts' ? 'sorts' : 'narrows'} the list.${rest}`,
    );
  return different(`None of ${formatCodes(seen.map(([name]) => name))} changes what comes.${rest}`);
}

export const QUERY_QUESTIONS: readonly Question[] = [
  {
    name: 'filters',
    topic: 'query',
    section: '§4',
    question: 'Which parameters narrow a list to a text?',
    assumptions: ['getTextFilters', 'mcp/MATCH_PARAMS'],
    mode: 'read',
    probe: 'A text that no entry holds is asked for under each name, then one that an entry holds.',
    confirmedWhen: 'At least one of the assumed names narrows the list.',
    evaluate: (profile) => evaluateParams(profile, FILTER_PARAMS, 'narrows'),
  },
  {
    name: 'since',
    topic: 'query',
    section: '§4',
    question: 'Which parameters narrow a list to a stretch of time?',
    assumptions: ['mcp/SINCE_PARAMS', 'mcp/UNTIL_PARAMS'],
    mode: 'read',
    probe: 'Entries made after a time that has not come are asked for under each name.',
    confirmedWhen: 'At least one of the assumed names narrows the list.',
    evaluate: (profile) => evaluateParams(profile, TIME_PARAMS, 'narrows'),
  },
  {
    name: 'sorting',
    topic: 'query',
    section: '§4',
    question: 'What is a list ordered by, and which parameters change it?',
    assumptions: ['LIST_ORDERS'],
    mode: 'read',
    probe: 'The order against the one that the list has is asked for in the usual ways.',
    confirmedWhen: 'At least one of the assumed ways changes the order.',
    evaluate: (profile) => {
      const orders = Object.values(profile.operations).flatMap((one) => one?.list?.order ?? []);
      const begins = orders.length > 0 ? ` Lists begin with the ${orders[0]}.` : '';
      const result = evaluateParams(profile, SORT_PARAMS, 'sorts');
      return { ...result, observation: `${result.observation}${begins}` };
    },
  },
];
