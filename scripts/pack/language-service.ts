import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Program whose last word of each line is hovered. */
export interface HoverRequest {
  /** Folder from which the packages resolve. */
  readonly folder: string;
  /** Lines before the hovered ones. */
  readonly prelude: string;
  /** Hovered expressions, such as `client.links.create`. */
  readonly expressions: readonly string[];
}

/** Returns the hover text of each word with the language service of TypeScript 5. */
export async function hoverWithLanguageService(
  typescript: string,
  { folder, prelude, expressions }: HoverRequest,
): Promise<string[]> {
  const { default: ts } = await import(pathToFileURL(typescript).href);
  const file = join(folder, 'hover.mts');
  const lines = expressions.map((expression) => `${expression};`);
  writeFileSync(file, `${prelude}\n${lines.join('\n')}\n`);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name: string) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    realpath: ts.sys.realpath,
  });
  const text = readFileSync(file, 'utf8');
  let position = prelude.length + 1;
  return lines.map((line) => {
    const info = service.getQuickInfoAtPosition(file, text.indexOf(line, position) + line.length - 2);
    position += line.length + 1;
    return ts.displayPartsToString(info?.documentation ?? []);
  });
}
