import { formatCount } from '../probes/format-count.ts';
import type { Report } from './create-report.ts';
import { describeOmittedNames, formatReasons } from './omitted-names.ts';

/** The report for people, as Markdown. */
export function renderMarkdown(report: Report): string {
  const { profile, evaluations, counts, evidence, omittedNames, unverifiable, skippedReasons, stopReason } =
    report;
  const { learned, scopes } = profile;
  const rows = evaluations.map(
    ({ question, outcome, observation, evidence: relevant }) =>
      `| ${question.section} ${escapeCell(question.question)} | **${outcome}** | ${escapeCell(observation)} | ${relevant.map((number) => `[${number}](#answer-${number})`).join(' ')} |`,
  );
  const parts = [
    '# What was learned of the service',
    `${profile.service}, ${learned.at.slice(0, 10)}, ${formatCount(learned.calls, 'call')}, ${learned.mode === 'write' ? 'with throwaway objects' : 'reading only'}.`,
    `**${counts.confirmed} confirmed, ${counts.other} other, ${counts.unseen} unseen.** Forms only: no value of the account stands in this report.`,
    ...(stopReason === undefined ? [] : [`It ended early: ${stopReason}`]),
    `The key was seen to have ${formatList(scopes.granted)}${scopes.missing.length > 0 ? `, and to lack ${formatList(scopes.missing)}` : ''}.`,
    '## Guesses',
    ['| What is left open | Verdict | What was seen | Answers |', '| --- | --- | --- | --- |', ...rows].join(
      '\n',
    ),
    ...(skippedReasons.length > 0
      ? ['## What could not be asked', skippedReasons.map((reason) => `- ${reason}`).join('\n')]
      : []),
    '## Names that were left out',
    describeOmittedNames(omittedNames, learned),
    ...(omittedNames.length > 0
      ? [omittedNames.map((one) => `- \`${one.group}\`: ${formatReasons(one)}`).join('\n')]
      : []),
    '## What no answer settles',
    unverifiable.map(([name, why]) => `- \`${name}\`: ${why}`).join('\n'),
    '## Answers',
    ...evidence.map(
      ({ number, request, response }) =>
        `<a id="answer-${number}"></a>\n\n### ${number}. \`${request.replaceAll('`', '')}\`\n\n${fence(response)}`,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function formatList(names: readonly string[]): string {
  return names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'no scope';
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function fence(text: string): string {
  const fenceMarker = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fenceMarker}text\n${text}\n${fenceMarker}`;
}
