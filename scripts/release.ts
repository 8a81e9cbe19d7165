/**
 * `npm run release -- patch|minor|major [--dry-run]`: one version into every manifest, the Zapier app and the changelog, all checks,
 * a commit and a tag. Nothing is pushed and nothing is published: pushing the tag does that. Where anything fails, all is as before.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readNamed } from './read-options.ts';
import { changedFiles } from './release/changed-files.ts';
import { nextVersion, PARTS } from './release/next-version.ts';

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'inherit' });

function release(): void {
  const { values, positionals } = readNamed({ 'dry-run': { type: 'boolean' } });
  const part = PARTS.find((one) => one === positionals[0]);
  if (part === undefined || positionals.length > 1)
    throw new Error('Usage: npm run release -- patch|minor|major [--dry-run]');
  const from: string = JSON.parse(readFileSync('package.json', 'utf8')).version;
  const to = nextVersion(from, part);
  const day = new Date().toISOString().slice(0, 10);
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  const dirty = git('status', '--porcelain');
  const reasons = [
    ...(branch === 'main' ? [] : [`this is ${branch}, and releases are made on main`]),
    ...(dirty === '' ? [] : [`there are changes that are not committed:\n${dirty}`]),
    ...(git('tag', '--list', `v${to}`) === '' ? [] : [`there is a tag v${to} already`]),
  ];
  const files = changedFiles({ from, to, day });
  if (values['dry-run']) {
    console.log(`${from} -> ${to}, ${day}`);
    for (const [path, text] of files)
      console.log(`\n${path}\n${changedLines(readFileSync(path, 'utf8'), text)}`);
    console.log(
      '\nThen: node scripts/installs.ts, npm run check, npm run pack, a commit, and the tag'.concat(
        ` v${to}. Nothing was changed.`,
      ),
    );
    for (const reason of reasons) console.log(`It would be refused: ${reason}`);
    return;
  }
  if (reasons.length > 0) throw new Error(`Not released: ${reasons.join('; ')}`);
  const start = git('rev-parse', 'HEAD');
  try {
    for (const [path, text] of files) writeFileSync(path, text);
    run('node', 'scripts/installs.ts');
    run('npm', 'run', 'check');
    run('npm', 'run', 'pack');
    git('add', '--all');
    git('commit', '--message', `Release ${to}`);
    git('tag', '--annotate', `v${to}`, '--message', `Docshare ${to}`);
  } catch (error) {
    // Nothing of anybody's is lost: the tree was clean.
    git('reset', '--hard', start);
    throw error;
  }
  console.log(`\nReleased ${to} here. Publish it: git push origin main v${to}`);
}

function changedLines(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const added = now.filter((line) => !old.includes(line)).map((line) => `  + ${line.trim()}`);
  return [...old.filter((line) => !now.includes(line)).map((line) => `  - ${line.trim()}`), ...added].join(
    '\n',
  );
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
try {
  release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
