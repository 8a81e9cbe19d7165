/**
 * Loaded before all else of a worker. Node takes the types out of each file anew in each process, which costs half of what
 * loading costs; here each text is stripped once, and found by its hash from then on.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../node_modules/.cache/docshare-tests/stripped/', import.meta.url));

function stripped(text: string): string {
  const name = createHash('sha256').update(`${process.version} ${text}`).digest('hex');
  try {
    return readFileSync(`${folder}${name}.js`, 'utf8');
  } catch {
    const made = stripTypeScriptTypes(text);
    keep(name, made);
    return made;
  }
}

/** Whole or not at all: other workers read it meanwhile. */
function keep(name: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    const own = `${folder}${name}.${randomUUID()}`;
    writeFileSync(own, text);
    renameSync(own, `${folder}${name}.js`);
  } catch {
    // A disk that takes nothing: the next process strips it again.
  }
}

// Where lines are counted, by Node's own way alone.
if (process.env['DOCSHARE_COVERAGE'] === undefined)
  registerHooks({
    load(url, context, next) {
      const [file = ''] = url.split('?');
      if (!file.startsWith('file:') || !file.endsWith('.ts') || file.includes('/node_modules/'))
        return next(url, context);
      const source = `${stripped(readFileSync(fileURLToPath(file), 'utf8'))}\n//# sourceURL=${url}`;
      return { format: 'module', source, shortCircuit: true };
    },
  });
