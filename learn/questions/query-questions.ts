import { getTextFilters, LIST_ORDERS } from '../../src/assumptions/index.ts';
import type { ListProfile, ServiceProfile } from '../../src/profile/service-profile.ts';
import { TIME_PARAMS } from '../assumptions.ts';
import { addObservation, confirmed, formatAsCode, notFound, notObserved } from './evaluate.ts';
import type { EvaluationResult, QuestionTable } from './question.ts';

const FILTER_PARAMS = Object.keys({ ...getTextFilters('a'), ...getTextFilters('a@b') });
const SORT_PARAMS = Object.keys(LIST_ORDERS.created);

function getQueryEffects(profile: ServiceProfile, names: readonly string[]): [string, ListProfile['query'][string]][] {
  const all = Object.values(profile.operations).flatMap((one) => Object.entries(one?.list?.query ?? {}));
  return [...new Map(all)].filter(([name]) => names.includes(name.split('=')[0] ?? ''));
}

function evaluateParams(
  profile: ServiceProfile,
  names: readonly string[],
  expectedEffect: 'narrows' | 'sorts',
): EvaluationResult {
  const seen = getQueryEffects(profile, names);
  if (seen.length === 0) return notObserved('No list had two items that differ in it.');
  const effective = seen.filter(([, effect]) => effect === expectedEffect).map(([name]) => name);
  const rejected = seen.filter(([, effect]) => effect === 'refused').map(([name]) => name);
  const rest = rejected.length > 0 ? ` Rejected: ${formatAsCode(rejected)}.` : '';
  const verb = expectedEffect === 'sorts' ? 'sorts' : 'filters';
  if (effective.length > 0) return confirmed(`${formatAsCode(effective)} ${verb} the list.${rest}`);
  return notFound(`None of ${formatAsCode(seen.map(([name]) => name))} ${verb} the list.${rest}`);
}

export const QUERY_QUESTIONS: QuestionTable = {
  filters: {
    topic: 'query',
    section: '§4',
    question: 'Which parameters filter a list by text?',
    assumptions: ['getTextFilters', 'mcp/MATCH_PARAMS'],
    evaluate: (profile) => evaluateParams(profile, FILTER_PARAMS, 'narrows'),
  },
  since: {
    topic: 'query',
    section: '§4',
    question: 'Which parameters filter a list by time?',
    assumptions: ['mcp/SINCE_PARAMS', 'mcp/UNTIL_PARAMS'],
    evaluate: (profile) => evaluateParams(profile, TIME_PARAMS, 'narrows'),
  },
  sorting: {
    topic: 'query',
    section: '§4',
    question: 'How are lists sorted, and which parameters change the order?',
    assumptions: ['LIST_ORDERS'],
    evaluate: (profile) => {
      const orders = Object.values(profile.operations).flatMap((one) => one?.list?.order ?? []);
      const result = evaluateParams(profile, SORT_PARAMS, 'sorts');
      return addObservation(result, orders[0] && `Default order: ${orders[0]} first.`);
    },
  },
};
