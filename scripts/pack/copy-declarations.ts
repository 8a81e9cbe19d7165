import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Relative imports of a module. */
export function findRelativeImports(text: string): readonly string[] {
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\(|\bimport\s+)['"](\.{1,2}\/[^'"]+)['"]/g)].map(
    ([, name = '']) => name,
  );
}

/** Adapts a built file to the package: imports end in .js, and the source map comment is removed. */
export function toPublishedText(text: string): string {
  return text
    .replace(/((?:\bfrom\s+|\bimport\(|\bimport\s+)['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2')
    .replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '\n');
}

/** Copies declarations and everything they import; `overrides` replaces some of them. */
export function copyDeclarations(options: {
  readonly rootFolder: string;
  readonly entries: readonly string[];
  readonly outFolder: string;
  readonly overrides?: Readonly<Record<string, string>>;
}): void {
  const { rootFolder, entries, outFolder, overrides = {} } = options;
  const queue = [...entries];
  const seen = new Set<string>();
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = overrides[path] ?? readFileSync(join(rootFolder, path), 'utf8');
    mkdirSync(dirname(join(outFolder, path)), { recursive: true });
    writeFileSync(join(outFolder, path), toPublishedText(text));
    for (const name of findRelativeImports(text)) queue.push(join(dirname(path), name).replace(/\.[jt]s$/, '.d.ts'));
  }
}
