/** Entry points and arguments of the processes that tests start. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root-folder.ts';

const rooms: readonly string[] = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')).include;
const isBuilt = process.env['DOCSHARE_COVERAGE'] === undefined && builtAt() > changedAt();

/**
 * For a program that one test starts many times: Node caches its compiled code. Not for others, because writing the
 * cache takes longer than it saves, above all in a fresh clone. Coverage runs without it.
 */
export const COMPILED: Readonly<Record<string, string>> =
  process.env['DOCSHARE_COVERAGE'] === undefined
    ? { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/docshare-tests') }
    : {};

/** The server as one file, as it is published. It starts in half the time of its separate files. */
export const mcpMain = entry('mcp', 'whole/main.js');
export const sandboxMain = entry('sandbox');
export const learnMain = entry('learn');
/** Entry point for programs that import the package. */
export const coreIndex = join(root, isBuilt ? 'dist/src/index.js' : 'src/index.ts');

/** Stripping types doubles a start, so the build is started if newer than all sources, except under coverage. */
function entry(room: 'mcp' | 'sandbox' | 'learn', built = `${room}/main.js`): string {
  return join(root, isBuilt ? join('dist', built) : `${room}/main.ts`);
}

function builtAt(): number {
  return statSync(join(root, 'dist/whole/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function changedAt(): number {
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => join(root, room, file)),
  );
  return Math.max(...files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}
