import { counted } from '../counted.ts';
import { aboutLeftOut, reasonsInWords } from './left-out.ts';
import type { Report } from './report.ts';

/** The report for people, as Markdown. */
export function toMarkdown(report: Report): string {
  const { profile, judged, counts, evidence, leftOut, unsettled, gaps, ended } = report;
  const { learned, scopes } = profile;
  const rows = judged.map(
    ({ question, verdict, seen, evidence: told }) =>
      `| ${question.section} ${cell(question.asks)} | **${verdict}** | ${cell(seen)} | ${told.map((n) => `[${n}](#answer-${n})`).join(' ')} |`,
  );
  const parts = [
    '# What was learned of the service',
    `${profile.service}, ${learned.at.slice(0, 10)}, ${counted(learned.calls, 'call')}, ${learned.mode === 'write' ? 'with throwaway objects' : 'reading only'}.`,
    `**${counts.confirmed} confirmed, ${counts.other} other, ${counts.unseen} unseen.** Forms only: no value of the account stands in this report.`,
    ...(ended === undefined ? [] : [`It ended early: ${ended}`]),
    `The key was seen to have ${list(scopes.granted)}${scopes.missing.length > 0 ? `, and to lack ${list(scopes.missing)}` : ''}.`,
    '## Guesses',
    ['| What is left open | Verdict | What was seen | Answers |', '| --- | --- | --- | --- |', ...rows].join(
      '\n',
    ),
    ...(gaps.length > 0 ? ['## What could not be asked', gaps.map((gap) => `- ${gap}`).join('\n')] : []),
    '## Names that were left out',
    aboutLeftOut(leftOut, learned),
    ...(leftOut.length > 0
      ? [leftOut.map((one) => `- \`${one.of}\`: ${reasonsInWords(one)}`).join('\n')]
      : []),
    '## What no answer settles',
    unsettled.map(([name, why]) => `- \`${name}\`: ${why}`).join('\n'),
    '## Answers',
    ...evidence.map(
      ({ n, request, answer }) =>
        `<a id="answer-${n}"></a>\n\n### ${n}. \`${request.replaceAll('`', '')}\`\n\n${fence(answer)}`,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'no scope';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function fence(text: string): string {
  const marks = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${marks}text\n${text}\n${marks}`;
}
