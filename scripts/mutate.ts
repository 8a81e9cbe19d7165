/**
 * Breaks the promises of the sources one at a time (StrykerJS), file by file, each against its own direct tests alone, and
 * fails where one notices less than 85 % of them: `npm run mutate`, or `npm run mutate -- src/retry/retry.ts`. What a
 * file's last run knows stays in `reports/mutants`, so that only what changed runs again.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

/** Where the direct tests of each file stand, in `test`. */
const DIRECT: Readonly<Record<string, readonly string[]>> = {
  'src/retry/retry.ts': ['rules/retry'],
  'src/retry/retry-after.ts': ['rules/retry-after'],
  'src/call/redirect.ts': ['rules/redirect'],
  'src/wire/storage-address.ts': ['rules/redirect', 'core/storage-address'],
  'src/upload/storage-refusal.ts': ['rules/storage-refusal'],
  'src/upload/transfer.ts': ['rules/transfer'],
  'src/limit/pace.ts': ['rules/pace'],
  'src/limit/starts.ts': ['rules/limit-starts'],
  'src/limit/unanswered.ts': ['rules/limit-starts'],
  'src/answer/redact.ts': ['rules/redact'],
  'src/answer/secret-fields.ts': ['rules/redact'],
  'src/assumptions/secret-names.ts': ['rules/redact'],
  'src/answer/walk-list.ts': ['rules/list-ends', 'core/list-oddities'],
  'src/media-type.ts': ['rules/file-kinds'],
  'src/events/delivery.ts': ['rules/deliveries', 'core/events', 'core/event-delivery', 'core/verify-event'],
  'src/events/event-headers.ts': ['rules/event-headers'],
  'src/events/event-kind.ts': ['core/events', 'rules/deliveries'],
  'src/events/event-shape.ts': ['rules/event-shapes', 'core/events'],
  'src/events/parse-event.ts': ['rules/deliveries', 'core/verify-event'],
  'src/events/secrets.ts': ['rules/signatures', 'core/signature', 'core/event-delivery'],
  'src/events/sign-event.ts': ['rules/sign-event'],
  'src/events/signature.ts': ['rules/signatures', 'core/signature', 'core/verify-event'],
  'mcp/answer/secrets.ts': ['rules/revealed'],
  'mcp/call/gate.ts': ['rules/gate', 'rules/gate-asked', 'rules/gate-page'],
  'mcp/call/ask-on-page.ts': ['rules/gate-page'],
  'mcp/call/open-forms.ts': ['rules/gate', 'rules/gate-asked'],
  'mcp/call/rounds.ts': ['rules/gate', 'rules/gate-asked', 'rules/gate-page'],
  'mcp/call/word.ts': ['rules/gate', 'rules/gate-asked'],
  'mcp/call/confirm-token.ts': ['rules/confirm-token'],
  'mcp/call/deed-ledger.ts': ['rules/deed-ledger'],
  'mcp/canonical.ts': ['rules/confirm-token'],
  'mcp/files/document-kinds.ts': ['rules/file-kinds'],
  'mcp/files/file-door.ts': ['rules/file-door'],
  'mcp/files/file-signature.ts': ['rules/file-kinds'],
  'mcp/files/public-address.ts': ['rules/public-address'],
  'mcp/record/audit.ts': ['rules/audit', 'rules/audit-places'],
  'zapier/platform/before-request.ts': ['rules/before-request'],
  'zapier/forms/amount.ts': ['rules/forms'],
  'zapier/forms/date.ts': ['rules/forms', 'rules/form-fields'],
  'zapier/forms/form.ts': ['rules/forms', 'rules/form-fields'],
  'zapier/triggers/once.ts': ['rules/hooks-once'],
  'zapier/triggers/receive.ts': ['rules/hooks-once'],
  'zapier/triggers/subscription.ts': ['rules/subscription'],
  'zapier/creates/send-and-wait.ts': ['rules/resume', 'rules/send-and-wait'],
};
const LEAST = 85;
const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const KEPT = 'reports/mutants';
const REPORT = 'reports/mutation-last.json';
const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

interface Mutant {
  readonly status: string;
}

/** The share of a file's mutants that its tests notice, in percent; undefined where it was not measured. */
function measure(file: string, tests: readonly string[]): number | undefined {
  const kept = `${KEPT}/${file.replaceAll('/', '_')}.json`;
  rmSync(REPORT, { force: true });
  const { error } = spawnSync(process.execPath, [STRYKER, 'run', '-m', file, '--incrementalFile', kept], {
    stdio: 'inherit',
    env: { ...process.env, MUTATE_TESTS: tests.map((name) => `test/${name}.test.ts`).join(',') },
  });
  if (error) throw error;
  if (!existsSync(REPORT)) return undefined;
  copyFileSync(REPORT, kept.replace(/json$/, 'report.json'));
  const { files } = JSON.parse(readFileSync(REPORT, 'utf8')) as {
    files: Record<string, { mutants: Mutant[] }>;
  };
  const of = (list: readonly string[]) =>
    files[file]?.mutants.filter(({ status }) => list.includes(status)).length ?? 0;
  return (100 * of(NOTICED)) / (of(NOTICED) + of(UNNOTICED));
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((file) => !Object.hasOwn(DIRECT, file));
if (unknown.length > 0) {
  console.error(`Not in the list of scripts/mutate.ts: ${unknown.join(', ')}`);
  process.exit(2);
}
mkdirSync(KEPT, { recursive: true });
const files = Object.entries(DIRECT).filter(([file]) => wanted.length === 0 || wanted.includes(file));
const startedAt = performance.now();
const scores = files.map(([file, tests]) => ({ file, score: measure(file, tests) }));
for (const { file, score } of scores) console.log(`${score?.toFixed(1).padStart(6) ?? 'broken'} %  ${file}`);
console.log(`${scores.length} files in ${Math.round((performance.now() - startedAt) / 60_000)} min`);
if (scores.some(({ score }) => score === undefined || !(score >= LEAST))) process.exitCode = 1;
