import { counted } from '../counted.ts';
import { TOPICS } from '../questions/question.ts';
import { aboutLeftOut, reasonsInWords } from './left-out.ts';
import type { Judged, Report } from './report.ts';
import { STYLESHEET } from './stylesheet.ts';

const TOPIC_WORDS: Readonly<Record<string, string>> = {
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
export function toHtml(report: Report): string {
  const { profile, judged, counts, evidence, unsettled, gaps, ended } = report;
  const { calls, mode } = profile.learned;
  const total = judged.length || 1;
  const topics = TOPICS.map((topic) => ({
    topic,
    own: judged.filter(({ question }) => question.topic === topic),
  })).filter(({ own }) => own.length > 0);
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
<title>What was learned of ${text(new URL(profile.service).host)}</title>
<style>${STYLESHEET}</style>
</head>
<body>
<header>
<p class="over">docshare learn</p>
<h1>What was learned of the service</h1>
<p class="lead"><code>${text(profile.service)}</code><br>${text(profile.learned.at.slice(0, 16).replace('T', ' '))} UTC · ${counted(calls, 'call')} · ${mode === 'write' ? 'with throwaway objects' : 'reading only'}</p>
<div class="sum" role="img" aria-label="${counts.confirmed} confirmed, ${counts.other} other, ${counts.unseen} unseen">${bar}</div>
<ul class="counts"><li><b class="confirmed">${counts.confirmed}</b> confirmed</li><li><b class="other">${counts.other}</b> other than assumed</li><li><b class="unseen">${counts.unseen}</b> unseen</li></ul>
<p class="note">Forms only: no value of the account stands on this page.</p>
${ended === undefined ? '' : `<p class="ended">It ended early: ${text(ended)}</p>`}
</header>
<main>
${topics.map(({ topic, own }) => section(topic, own)).join('\n')}
${gaps.length === 0 ? '' : `<section><h2>What could not be asked</h2><ul>${gaps.map((gap) => `<li>${text(gap)}</li>`).join('')}</ul></section>`}
${namesLeftOut(report)}
<section><h2>What no answer settles</h2><dl>${unsettled.map(([name, why]) => `<dt><code>${text(name)}</code></dt><dd>${text(why)}</dd>`).join('')}</dl></section>
<section><h2>The key</h2><p>It was seen to have ${scopes(profile.scopes.granted)}${profile.scopes.missing.length > 0 ? `, and to lack ${scopes(profile.scopes.missing)}` : ''}.</p></section>
<section><h2>Answers</h2>
${evidence.map(({ n, request, answer }) => `<details id="answer-${n}"><summary><span class="n">${n}</span> <code>${text(request)}</code></summary><pre tabindex="0">${text(answer)}</pre></details>`).join('\n')}
</section>
</main>
</body>
</html>
`;
}

function section(topic: string, judged: readonly Judged[]): string {
  return `<section><h2>${text(TOPIC_WORDS[topic] ?? topic)}</h2>${judged.map(card).join('\n')}</section>`;
}

function card({ question, verdict, seen, evidence }: Judged): string {
  const answers = evidence.map((n) => `<a href="#answer-${n}">${n}</a>`).join(' ');
  const settled = question.settles.map((name) => `<code>${text(name)}</code>`).join(', ');
  return `<article class="${verdict}">
<h3><span class="mark">${verdict}</span> ${text(question.asks)}</h3>
<p class="seen">${withCode(seen)}</p>
<details><summary>How it was asked</summary><p>${text(question.probed)} Confirmed by: ${text(question.confirmedBy)}
API document ${text(question.section)}. Settles ${settled}.${answers ? ` Answers ${answers}` : ''}</p></details>
</article>`;
}

function namesLeftOut({ leftOut, profile }: Report): string {
  const rows = leftOut.map((one) => `<li><code>${text(one.of)}</code>: ${text(reasonsInWords(one))}</li>`);
  const list = rows.length === 0 ? '' : `<ul>${rows.join('')}</ul>`;
  return `<section><h2>Names that were left out</h2><p>${text(aboutLeftOut(leftOut, profile.learned))}</p>${list}</section>`;
}

function scopes(names: readonly string[]): string {
  return names.length === 0 ? 'no scope' : names.map((name) => `<code>${text(name)}</code>`).join(', ');
}

function withCode(words: string): string {
  return text(words).replace(/`([^`]*)`/g, '<code>$1</code>');
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
