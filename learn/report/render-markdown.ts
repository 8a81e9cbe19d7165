import { formatCount } from '../format-count.ts';
import { TOPICS, type Topic } from '../questions/question.ts';
import type { EvaluatedQuestion, Report } from './create-report.ts';
import { describeOmittedNames } from './omitted-names.ts';

const TOPIC_TITLES: Readonly<Record<Topic, string>> = {
  lists: 'Lists',
  paging: 'Pagination',
  query: 'Filtering and sorting',
  objects: 'Objects and their fields',
  files: 'Files',
  analytics: 'Analytics',
  billing: 'Billing',
  errors: 'Errors',
  keys: 'Keys and scopes',
  headers: 'Headers',
  uploads: 'Uploads',
  writes: 'Creating, changing, removing',
  webhooks: 'Webhooks',
  events: 'Events',
};

export function formatCounts(counts: Report['counts']): string {
  return Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
}

/** Renders the report. Text of the service never becomes HTML or breaks the table. */
export function renderMarkdown(report: Report): string {
  const { profile, evaluations, counts, evidence, omittedNames, unverifiable, skippedReasons, stopReason } = report;
  const { learned, scopes } = profile;
  const sections = TOPICS.flatMap((topic) => {
    const own = evaluations.filter(({ question }) => question.topic === topic);
    return own.length === 0 ? [] : [`### ${TOPIC_TITLES[topic]}`, table(own)];
  });
  const parts = [
    '# API profile',
    `${escapeHtml(profile.service)}, ${learned.at.slice(0, 16).replace('T', ' ')} UTC, ${formatCount(learned.calls, 'call')}, ${learned.mode === 'write' ? 'with throwaway objects' : 'read-only'}.`,
    `**${formatCounts(counts)}.** This report contains formats only, no values of the account.`,
    ...(stopReason === undefined ? [] : [`The run ended early: ${escapeHtml(stopReason)}`]),
    `Scopes of the key: ${formatList(scopes.granted)}${scopes.missing.length > 0 ? `; missing: ${formatList(scopes.missing)}` : ''}.`,
    '## Assumptions',
    'Each result judges the assumptions of the client that its row names (their values: `docs/assumptions.md` of the package).',
    [
      '**confirmed**: at least one of them holds.',
      '**different**: the service has it in another form or under another name, which the observation names.',
      '**not found**: the responses have none of the assumed names or effects; the observation lists what they have.',
      '**not observed**: this run saw no such response; the observation says why.',
    ].join(' '),
    ...sections,
    ...(skippedReasons.length > 0
      ? ['## Skipped', skippedReasons.map((reason) => `- ${escapeHtml(reason)}`).join('\n')]
      : []),
    '## Omitted names',
    describeOmittedNames(omittedNames, learned),
    ...(omittedNames.length > 0 ? [omittedNames.map(({ group, count }) => `- \`${group}\`: ${count}`).join('\n')] : []),
    '## Assumptions that no response can verify',
    unverifiable.map(([name, why]) => `- ${code(name)}: ${escapeHtml(why)}`).join('\n'),
    '## Responses',
    ...evidence.map(
      ({ number, request, response }) =>
        `<a id="response-${number}"></a>\n\n### ${number}. ${code(request)}\n\n${fence(response)}`,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function table(evaluations: readonly EvaluatedQuestion[]): string {
  const rows = evaluations.map(({ question, outcome, observation, evidence }) => {
    const responses = evidence.map((number) => `[${number}](#response-${number})`).join(' ');
    const assumptions = question.assumptions.map(code).join(' ');
    return `| ${question.section} ${escapeCell(question.question)} | ${assumptions} | **${outcome}** | ${escapeCell(observation)} | ${responses} |`;
  });
  return [
    '| Question | Assumptions | Result | Observed | Responses |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function formatList(names: readonly string[]): string {
  return names.length > 0 ? names.map(code).join(', ') : 'none';
}

function code(text: string): string {
  return `\`${text.replaceAll('`', '')}\``;
}

function escapeCell(text: string): string {
  return escapeHtml(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Escapes HTML and unpaired backticks outside code spans. */
function escapeHtml(text: string): string {
  return text
    .split(/(`[^`\n]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('`', '\\`')))
    .join('');
}

function fence(text: string): string {
  const fenceMarker = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fenceMarker}text\n${text}\n${fenceMarker}`;
}
