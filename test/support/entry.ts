/** What the processes of the tests are started with. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms: readonly string[] = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')).include;
const isBuilt = process.env['DOCSHARE_COVERAGE'] === undefined && builtAt() > changedAt();

/**
 * For what one test starts many times: it is read and compiled once. Not for all: to write down the code of what runs once
 * takes longer than it saves, most of all in a fresh clone. Lines are counted without it.
 */
export const COMPILED: Readonly<Record<string, string>> =
  process.env['DOCSHARE_COVERAGE'] === undefined
    ? { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/docshare-tests') }
    : {};

/** The server in one piece, as it is published: it starts in half the time of its files one by one. */
export const mcpMain = entry('mcp', 'whole/main.js');
export const sandboxMain = entry('sandbox');
export const learnMain = entry('learn');
/** What a program of its own imports. */
export const coreIndex = join(root, isBuilt ? 'dist/src/index.js' : 'src/index.ts');

/**
 * Node reads TypeScript anew at each start, which takes as long as the rest of it. So what is built is started where it is
 * newer than every source; else, and where lines are counted, the source.
 */
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
