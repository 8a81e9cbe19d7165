/**
 * `npm run release -- patch|minor|major [--dry-run]`: sets the version in every manifest, the Zapier app and the
 * changelog, runs all checks, commits and tags. Pushing the tag publishes; this script does not. A failure changes nothing.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptionsAndFiles } from './read-options.ts';
import { createReleaseFiles } from './release/changed-files.ts';
import { nextVersion, RELEASE_LEVELS } from './release/next-version.ts';
import { hashToolContract, TOOL_CONTRACT } from './release/tool-contract.ts';
import { runNpm } from './run-npm.ts';

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

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
  const blockers: string[] = [
    ...(branch === 'main' ? [] : [`this is ${branch}, and releases are made on main`]),
    ...(uncommitted === '' ? [] : [`there are changes that are not committed:\n${uncommitted}`]),
    ...(git('tag', '--list', `v${to}`) === '' ? [] : [`there is a tag v${to} already`]),
  ];
  if (values['dry-run']) {
    const files = planFiles({ from, to, day }, blockers);
    console.log(`${from} -> ${to}, ${day}`);
    for (const [path, text] of files) console.log(`\n${path}\n${formatDiff(readFileSync(path, 'utf8'), text)}`);
    console.log(`\nTool contract ${hashToolContract()}\n${describeContractChange(from)}`);
    console.log(
      `\nThen: node scripts/installs.ts, npm run check, npm run pack, a commit, and the tag v${to}. Nothing was changed.`,
    );
    for (const reason of blockers) console.log(`Would fail: ${reason}`);
    console.log(`\n${describePersonSteps(to)}`);
    return;
  }
  const files = createReleaseFiles({ from, to, day });
  if (blockers.length > 0) throw new Error(`Not released: ${blockers.join('; ')}`);
  const start = git('rev-parse', 'HEAD');
  try {
    for (const [path, text] of files) writeFileSync(path, text);
    execFileSync(process.execPath, ['scripts/installs.ts'], { stdio: 'inherit' });
    runNpm(['run', 'check'], { stdio: 'inherit' });
    runNpm(['run', 'pack'], { stdio: 'inherit' });
    git('add', '--all');
    git('commit', '--message', `Release ${to}`);
    git(
      'tag',
      '--annotate',
      `v${to}`,
      '--message',
      `Docshare ${to}`,
      '--message',
      `Tool contract ${hashToolContract()}`,
    );
  } catch (error) {
    // Loses nothing, since the work tree was clean.
    git('reset', '--hard', start);
    throw error;
  }
  console.log(`\nReleased ${to} here. ${describePersonSteps(to)}`);
}

/** Returns the changed files; reasons that prevent the release are added to `blockers`. */
function planFiles(
  release: Parameters<typeof createReleaseFiles>[0],
  blockers: string[],
): ReturnType<typeof createReleaseFiles> {
  try {
    return createReleaseFiles(release);
  } catch (error) {
    blockers.push(error instanceof Error ? error.message : String(error));
    return new Map();
  }
}

function describeContractChange(from: string): string {
  if (git('tag', '--list', `v${from}`) === '') return `There is no tag v${from} to compare it with.`;
  return git('diff', `v${from}`, '--', TOOL_CONTRACT) || `It is the same as in v${from}.`;
}

/** Steps for a person, because each needs an account. */
function describePersonSteps(version: string): string {
  return [
    'A person must still:',
    '1. On npm, own docshare, docshare-mcp and docshare-sandbox, and trust this repository: workflow release.yml, environment npm.',
    `2. Publish: git push origin main v${version}. The workflow tests, publishes and attaches docshare-mcp.mcpb.`,
    '3. In the MCP registry, own the namespace of mcpName (package.json), then: mcp-publisher login github && mcp-publisher publish.',
    '4. Open docshare-mcp.mcpb with Claude Desktop once, then submit it and the plugin to the directories that should list them.',
    '5. For Zapier: npm run zapier:scale, zapier-platform push, one live run of each Zap of docs/zapier.md with a real key.',
    '6. For Zapier’s review: the page where keys are made, the base URL, and a test account.',
    '7. With a real account: docshare learn, docshare-mcp doctor, then one upload, one link and one agreement.',
    '8. Take the "Not published yet" note out of README.md and docs/mcp.md.',
  ].join('\n');
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
