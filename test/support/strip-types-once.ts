/** Preloaded in each worker: strips each text's types once and caches it by its hash, which halves the loading time. */
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

/** Writes atomically, because other workers read at the same time. */
function keep(name: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    const own = `${folder}${name}.${randomUUID()}`;
    writeFileSync(own, text);
    renameSync(own, `${folder}${name}.js`);
  } catch {
    // If the disk rejects the file, the next process strips it again.
  }
}

// Under coverage, Node strips the types itself.
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
