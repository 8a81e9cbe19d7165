import { readFileSync } from 'node:fs';
import { operations } from '../../src/operations/index.ts';

/**
 * The declarations of the client's methods, written out: editors show no sentence for what a type maps over another's
 * declarations, only for what is declared itself.
 */
export function generateMethodsDeclaration(builtText: string): string {
  const [types, mappedType] = builtText.split('/** Methods of the catalog');
  if (types === undefined || mappedType === undefined) throw new Error('methods.d.ts has another form than it had');
  const groups = [...new Set(operations.map(({ group }) => group))];
  const members = groups.map((group) => {
    const source = readFileSync(new URL(`../../src/operations/${group}.ts`, import.meta.url), 'utf8');
    const methods = operations
      .filter((operation) => operation.group === group)
      .map(({ name }) => {
        const key = name.slice(group.length + 1);
        const sentence = new RegExp(`/\\*\\* ([^*]+) \\*/\\n {2}${key}: operation\\(`).exec(source)?.[1];
        if (!sentence) throw new Error(`${name} has no sentence`);
        const entry = `Catalog['${group}']['${key}']`;
        return `        /** ${sentence} */\n        ${key}: (...args: Arguments<${entry}>) => Result<${entry}>;\n`;
      });
    return `    ${group}: {\n${methods.join('')}    };\n`;
  });
  return `${types}/** Methods of the catalog: \`client.links.create(input, options)\`. */
export interface Methods {
${members.join('')}}
export {};
`;
}
