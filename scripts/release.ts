/**
 * `npm run release -- patch|minor|major [--dry-run]`: one version into every manifest, the Zapier app and the changelog, all checks,
 * a commit and a tag. Nothing is pushed and nothing is published: pushing the tag does that. Where anything fails, all is as before.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptionsAndFiles } from './read-options.ts';
import { createReleaseFiles } from './release/changed-files.ts';
import { nextVersion, RELEASE_LEVELS } from './release/next-version.ts';

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'inherit' });

function release(): void {
  const { values, positionals } = readOptionsAndFiles({ 'dry-run': { type: 'boolean' } });
  const level = RELEASE_LEVELS.find((candidate) => candidate === positionals[0]);
  if (level === undefined || positionals.length > 1)
    throw new Error('Usage: npm run release -- patch|minor|major [--dry-run]');
  const from: string = JSON.parse(readFileSync('package.json', 'utf8')).version;
  const to = nextVersion(from, level);
  const day = new Date().toISOString().slice(0, 10);
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  const uncommitted = git('status', '--porcelain');
  const blockers = [
    ...(branch === 'main' ? [] : [`this is ${branch}, and releases are made on main`]),
    ...(uncommitted === '' ? [] : [`there are changes that are not committed:\n${uncommitted}`]),
    ...(git('tag', '--list', `v${to}`) === '' ? [] : [`there is a tag v${to} already`]),
  ];
  const files = createReleaseFiles({ from, to, day });
  if (values['dry-run']) {
    console.log(`${from} -> ${to}, ${day}`);
    for (const [path, text] of files) console.log(`\n${path}\n${formatDiff(readFileSync(path, 'utf8'), text)}`);
    console.log(
      '\nThen: node scripts/installs.ts, npm run check, npm run pack, a commit, and the tag'.concat(
        ` v${to}. Nothing was changed.`,
      ),
    );
    for (const reason of blockers) console.log(`It would be refused: ${reason}`);
    return;
  }
  if (blockers.length > 0) throw new Error(`Not released: ${blockers.join('; ')}`);
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

function formatDiff(before: string, after: string): string {
  const [oldLines, newLines] = [before.split('\n'), after.split('\n')];
  const added = newLines.filter((line) => !oldLines.includes(line)).map((line) => `  + ${line.trim()}`);
  return [...oldLines.filter((line) => !newLines.includes(line)).map((line) => `  - ${line.trim()}`), ...added].join(
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
