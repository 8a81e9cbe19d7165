import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The relative modules that a module names. */
export function importsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\(|\bimport\s+)['"](\.{1,2}\/[^'"]+)['"]/g)].map(
    ([, name = '']) => name,
  );
}

/** Text of the build as a package ships it: imports name what is there, and no map is promised that is not. */
export function shipped(text: string): string {
  return text
    .replace(/((?:\bfrom\s+|\bimport\(|\bimport\s+)['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2')
    .replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '\n');
}

/** Copies declarations and all that they name; `written` gives others in the place of the build's. */
export function copyDeclarations(options: {
  readonly from: string;
  readonly entries: readonly string[];
  readonly into: string;
  readonly written?: Readonly<Record<string, string>>;
}): void {
  const { from, entries, into, written = {} } = options;
  const queue = [...entries];
  const seen = new Set<string>();
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = written[path] ?? readFileSync(join(from, path), 'utf8');
    mkdirSync(dirname(join(into, path)), { recursive: true });
    writeFileSync(join(into, path), shipped(text));
    for (const name of importsIn(text)) queue.push(join(dirname(path), name).replace(/\.[jt]s$/, '.d.ts'));
  }
}
