import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releaseChangelog } from '../../scripts/release/changed-files.ts';
import { nextVersion } from '../../scripts/release/next-version.ts';
import { createFolderForFile } from '../support/cleanup.ts';
import { root } from '../support/root-folder.ts';

const base = createFolderForFile('docshare-release-');
const folder = join(base, 'repository');

const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** Runs a release in one commit; its checks are stubs that report that they ran. */
function commitAll(folder: string): void {
  mkdirSync(folder);
  for (const path of [
    'scripts',
    'mcp',
    'src',
    'zapier/package.json',
    'package-lock.json',
    'CHANGELOG.md',
    'server.json',
    'plugin',
    '.claude-plugin',
  ])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  manifest.scripts = { check: 'echo checked; exit $CHECK_EXITS', pack: 'echo packed' };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'docs'));
  gitIn(folder, 'init', '-q', '-b', 'main');
  gitIn(folder, 'config', 'user.name', 't');
  gitIn(folder, 'config', 'user.email', 't@example.com');
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '-qm', 'All');
}

/** The committed repository; copying its thousand files for each test would take longer than the test. */
function newRepository(checkExits = 0) {
  if (!existsSync(folder)) commitAll(folder);
  gitIn(folder, 'checkout', '-qf', '-B', 'main', gitIn(folder, 'rev-list', '--max-parents=0', 'main'));
  gitIn(folder, 'clean', '-fdq', '-e', 'docs');
  for (const kind of ['refs/heads', 'refs/tags'])
    for (const ref of gitIn(folder, 'for-each-ref', '--format=%(refname)', kind).split('\n'))
      if (ref && ref !== 'refs/heads/main') gitIn(folder, 'update-ref', '-d', ref);
  const git = (...args: string[]) => gitIn(folder, ...args);
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const release = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.ts', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE: join(base, 'compiled'), CHECK_EXITS: `${checkExits}` },
    });
    return { status, out: stdout + stderr };
  };
  const version: string = JSON.parse(read('package.json')).version;
  return { folder, git, read, release, version };
}

test('a release sets one version in every manifest, dates the changelog, runs the checks, commits and tags', () => {
  const { git, read, release, version } = newRepository();
  const next = nextVersion(version, 'major');
  const { status, out } = release('major');
  expect({ status, out }).toMatchObject({
    status: 0,
    out: expect.stringMatching(/checked[\s\S]*packed[\s\S]*git push origin main v/),
  });
  const json = (path: string) => JSON.parse(read(path));
  const lock = json('package-lock.json');
  expect([
    json('package.json').version,
    json('zapier/package.json').version,
    lock.version,
    lock.packages[''].version,
    lock.packages.zapier.version,
  ]).toEqual(Array(5).fill(next));
  expect([json('server.json').version, json('plugin/plugin.json').version]).toEqual([next, next]);
  expect(read('plugin/mcp.json')).toContain(`docshare-mcp@${next}`);
  expect(read('CHANGELOG.md')).toMatch(
    new RegExp(`^# Changelog\\n\\n## ${next.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d\\n(?![\\s\\S]*Unreleased)`),
  );
  expect(git('tag', '--list', '--format=%(objecttype) %(refname:short)')).toBe(`tag v${next}`);
  expect(git('log', '-1', '--format=%s')).toBe(`Release ${next}`);
  expect(git('status', '--porcelain')).toBe('');
});

test('a release with failing checks changes nothing', () => {
  const { git, release } = newRepository(1);
  const before = git('rev-parse', 'HEAD');
  expect(release('major').status).toBe(1);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', '']);
});

test('a dirty tree, another branch and an unknown part are rejected; a dry run reports it and changes nothing', () => {
  const { folder, git, release, version } = newRepository();
  expect(release('huge')).toMatchObject({ status: 1, out: expect.stringContaining('patch|minor|major') });
  writeFileSync(join(folder, 'mine.txt'), 'x');
  expect(release('major')).toMatchObject({ status: 1, out: expect.stringContaining('not committed') });
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('x');
  rmSync(join(folder, 'mine.txt'));
  git('checkout', '-qb', 'feature');
  expect(release('major')).toMatchObject({ status: 1, out: expect.stringContaining('this is feature') });
  const dry = release('major', '--dry-run');
  expect(dry).toMatchObject({
    status: 0,
    out: expect.stringContaining(`${version} -> ${nextVersion(version, 'major')}`),
  });
  expect(dry.out).toContain('Would fail: this is feature');
  expect(git('status', '--porcelain')).toBe('');
});

test('each part of a version is incremented', () => {
  expect([nextVersion('0.1.9', 'patch'), nextVersion('0.1.9', 'minor'), nextVersion('0.1.9', 'major')]).toEqual([
    '0.1.10',
    '0.2.0',
    '1.0.0',
  ]);
  expect(() => nextVersion('1.0.0-rc.1', 'patch')).toThrow('not a version');
});

const at = { to: '2.0.0', day: '2026-01-02' };

test.each(['Unreleased', '2.0.0 - Unreleased'])('a release dates the changelog section "%s"', (heading) => {
  const older = '\n## 1.0.0 - 2025-01-01\n\n- Old\n';
  expect(releaseChangelog(`# Changelog\n\n## ${heading}\n\n### Added\n- New\n${older}`, at)).toBe(
    `# Changelog\n\n## 2.0.0 - 2026-01-02\n\n### Added\n- New\n${older}`,
  );
});

test.each([
  ['no section', '# Changelog\n', 'no section'],
  ['an empty section', '# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2025-01-01\n\n- Old\n', 'nothing'],
  ['another version', '# Changelog\n\n## 1.5.0 - Unreleased\n\n- New\n', 'announces 1.5.0'],
])('a changelog with %s stops the release', (_, changelog, reason) => {
  expect(() => releaseChangelog(changelog, at)).toThrow(reason);
});

test('the changelog has categories and one-line entries of at most 140 characters', () => {
  const lines = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n').slice(1);
  const allowed =
    /^$|^## (Unreleased|\d+\.\d+\.\d+ - (Unreleased|\d{4}-\d\d-\d\d))$|^### (Added|Changed|Fixed|Removed|Security)$|^- .{1,138}$/;
  expect(lines.filter((line) => !allowed.test(line))).toEqual([]);
});
