import { formatCount } from '../probes/format-count.ts';
import { TOPICS } from '../questions/question.ts';
import type { EvaluatedQuestion, Report } from './create-report.ts';
import { describeOmittedNames, formatReasons } from './omitted-names.ts';
import { STYLESHEET } from './stylesheet.ts';

const TOPIC_TITLES: Readonly<Record<string, string>> = {
  lists: 'Lists',
  paging: 'Pages of lists',
  query: 'What narrows and sorts',
  objects: 'Objects and their fields',
  files: 'Files',
  analytics: 'Analytics',
  billing: 'Billing',
  errors: 'Refusals',
  keys: 'Keys and scopes',
  headers: 'Headers',
  uploads: 'Uploads',
  writes: 'Creating, changing, removing',
  webhooks: 'Webhooks',
  events: 'Events',
  limit: 'The limit',
};

/** The same report as one page that needs nothing else: no script, no address that it loads from. */
export function renderHtml(report: Report): string {
  const { profile, evaluations, counts, evidence, unverifiable, skippedReasons, stopReason } = report;
  const { calls, mode } = profile.learned;
  const total = evaluations.length || 1;
  const topics = TOPICS.map((topic) => ({
    topic,
    topicEvaluations: evaluations.filter(({ question }) => question.topic === topic),
  })).filter(({ topicEvaluations }) => topicEvaluations.length > 0);
  const bar = (['confirmed', 'other', 'unseen'] as const)
    .map(
      (verdict) =>
        `<span class="${verdict}" style="width:${((100 * counts[verdict]) / total).toFixed(2)}%"></span>`,
    )
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>What was learned of ${escapeHtml(new URL(profile.service).host)}</title>
<style>${STYLESHEET}</style>
</head>
<body>
<header>
<p class="over">docshare learn</p>
<h1>What was learned of the service</h1>
<p class="lead"><code>${escapeHtml(profile.service)}</code><br>${escapeHtml(profile.learned.at.slice(0, 16).replace('T', ' '))} UTC · ${formatCount(calls, 'call')} · ${mode === 'write' ? 'with throwaway objects' : 'reading only'}</p>
<div class="sum" role="img" aria-label="${counts.confirmed} confirmed, ${counts.other} other, ${counts.unseen} unseen">${bar}</div>
<ul class="counts"><li><b class="confirmed">${counts.confirmed}</b> confirmed</li><li><b class="other">${counts.other}</b> other than assumed</li><li><b class="unseen">${counts.unseen}</b> unseen</li></ul>
<p class="note">Forms only: no value of the account stands on this page.</p>
${stopReason === undefined ? '' : `<p class="ended">It ended early: ${escapeHtml(stopReason)}</p>`}
</header>
<main>
${topics.map(({ topic, topicEvaluations }) => renderSection(topic, topicEvaluations)).join('\n')}
${skippedReasons.length === 0 ? '' : `<section><h2>What could not be asked</h2><ul>${skippedReasons.map((reason) => `<li>${escapeHtml(reason)}</li>`).join('')}</ul></section>`}
${renderOmittedNames(report)}
<section><h2>What no answer settles</h2><dl>${unverifiable.map(([name, why]) => `<dt><code>${escapeHtml(name)}</code></dt><dd>${escapeHtml(why)}</dd>`).join('')}</dl></section>
<section><h2>The key</h2><p>It was seen to have ${formatScopes(profile.scopes.granted)}${profile.scopes.missing.length > 0 ? `, and to lack ${formatScopes(profile.scopes.missing)}` : ''}.</p></section>
<section><h2>Answers</h2>
${evidence.map(({ number, request, response }) => `<details id="answer-${number}"><summary><span class="n">${number}</span> <code>${escapeHtml(request)}</code></summary><pre tabindex="0">${escapeHtml(response)}</pre></details>`).join('\n')}
</section>
</main>
</body>
</html>
`;
}

function renderSection(topic: string, evaluations: readonly EvaluatedQuestion[]): string {
  return `<section><h2>${escapeHtml(TOPIC_TITLES[topic] ?? topic)}</h2>${evaluations.map(renderQuestion).join('\n')}</section>`;
}

function renderQuestion({ question, outcome, observation, evidence }: EvaluatedQuestion): string {
  const responses = evidence.map((number) => `<a href="#answer-${number}">${number}</a>`).join(' ');
  const assumptions = question.assumptions.map((name) => `<code>${escapeHtml(name)}</code>`).join(', ');
  return `<article class="${outcome}">
<h3><span class="mark">${outcome}</span> ${escapeHtml(question.question)}</h3>
<p class="seen">${renderCode(observation)}</p>
<details><summary>How it was asked</summary><p>${escapeHtml(question.probe)} Confirmed by: ${escapeHtml(question.confirmedWhen)}
API document ${escapeHtml(question.section)}. Settles ${assumptions}.${responses ? ` Answers ${responses}` : ''}</p></details>
</article>`;
}

function renderOmittedNames({ omittedNames, profile }: Report): string {
  const rows = omittedNames.map(
    (one) => `<li><code>${escapeHtml(one.group)}</code>: ${escapeHtml(formatReasons(one))}</li>`,
  );
  const list = rows.length === 0 ? '' : `<ul>${rows.join('')}</ul>`;
  return `<section><h2>Names that were left out</h2><p>${escapeHtml(describeOmittedNames(omittedNames, profile.learned))}</p>${list}</section>`;
}

function formatScopes(names: readonly string[]): string {
  return names.length === 0 ? 'no scope' : names.map((name) => `<code>${escapeHtml(name)}</code>`).join(', ');
}

function renderCode(value: string): string {
  return escapeHtml(value).replace(/`([^`]*)`/g, '<code>$1</code>');
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
