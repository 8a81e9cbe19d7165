import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A program whose last word of each line is hovered over. */
export interface HoverRequest {
  /** Where the program may stand: a folder that finds the packages. */
  readonly folder: string;
  /** The program's lines before the hovered ones. */
  readonly prelude: string;
  /** What is hovered over, such as `client.links.create`. */
  readonly expressions: readonly string[];
}

/** What an editor on TypeScript 5 shows for each word, by its language service. */
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
