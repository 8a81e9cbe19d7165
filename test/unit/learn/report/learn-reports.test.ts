/** What a profile and a report may show: no name that people gave, and nothing that a service could slip into a page. */
import { expect, test } from 'vitest';
import { removeUserDefinedNames } from '../../../../learn/infer/remove-user-defined-names.ts';
import { QUESTIONS } from '../../../../learn/questions/index.ts';
import type { EvaluatedQuestion, Report } from '../../../../learn/report/create-report.ts';
import { describeOmittedNames } from '../../../../learn/report/omitted-names.ts';
import { renderMarkdown } from '../../../../learn/report/render-markdown.ts';
import type { OperationProfile, ServiceProfile } from '../../../../src/profile/service-profile.ts';
import { texts } from '../../../learn/texts.ts';
import { createStub } from '../../../support/create-stub.ts';

/** A list of four entries. The first `seen` of them have an unknown field. */
const listOf = (seen: number, name = 'zebsalary') =>
  createStub<OperationProfile>({
    response: {
      seen: 1,
      body: {
        type: 'array',
        items: {
          type: 'object',
          'x-seen': 4,
          required: ['id'],
          properties: { id: { type: 'string', 'x-seen': 4 }, [name]: { type: 'string', 'x-seen': seen } },
        },
      },
    },
    list: { at: [], size: {}, query: {} },
  });

test.each([
  ['at most half of the entries have', 2, 'zebsalary', false],
  ['most of them have', 3, 'zebsalary', true],
  ['few of them have, and APIs use', 1, 'updated_at', true],
])('a name that %s may be a person’s: %i of 4, "%s" stays: %s', (_, seen, name, stays) => {
  const cleaned = removeUserDefinedNames({ 'documents.list': listOf(seen, name) });
  expect(JSON.stringify(cleaned['documents.list']).includes(name)).toBe(stays);
});

test('what a service says never becomes HTML or a new cell of the table', () => {
  const [question] = QUESTIONS;
  const script = '<img src=x onerror="alert(1)">';
  const judged = createStub<EvaluatedQuestion>({
    question,
    outcome: 'other',
    observation: `It is \`${script}\`, ${script} | a lone \` ${script}.`,
    evidence: [],
  });
  const page = renderMarkdown(
    createStub<Report>({
      profile: {
        service: `https://api.test/${script}`,
        learned: { at: '2026-01-01T00:00:00Z', calls: 1, mode: 'read', names: 'known' },
        scopes: { granted: [script], missing: [script] },
      },
      evaluations: [judged],
      counts: { confirmed: 0, other: 1, missing: 0, unseen: 0 },
      evidence: [{ number: 1, request: script, response: script }],
      unverifiable: [[script, script]],
      omittedNames: [],
      skippedReasons: [script],
      stopReason: script,
    }),
  );
  const text = page.replace(/```text\n[\s\S]*?\n```/g, '').replace(/`[^`\n]*`/g, '');
  expect(text).not.toContain('<img');
  expect(page).toContain(`It is \`${script}\`, &lt;img src=x onerror="alert(1)"> \\| a lone \\\` &lt;img`);
});

test.each([
  [1, texts.n1NameLeftOut],
  [2, texts.n2NamesLeftOut],
])('%j names that were left out are told as one or as many', (count, words) => {
  const { learned } = createStub<ServiceProfile>({ learned: { names: 'known' } });
  expect(describeOmittedNames([{ group: 'documents', count }], learned)).toBe(words);
});
