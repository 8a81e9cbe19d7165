/** Source files and the relative imports between them. */
import { readdirSync, readFileSync } from 'node:fs';
import { root } from './root-folder.ts';

export interface Source {
  /** Relative to the repository, such as `src/request/send-request.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface ImportEdge {
  readonly from: string;
  readonly to: string;
}

export function readSources(folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/(^|\/)(dist|build|node_modules)\//.test(name))
      .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(`${root}${folder}/${name}`, 'utf8') })),
  );
}

/** Every relative import, including those of types. */
export function importsIn(files: readonly Source[]): readonly ImportEdge[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) => ({
      from: path,
      to: new URL(target, `file:///${path}`).pathname.slice(1),
    })),
  );
}

/** Returns the files of the first import cycle found, in order; empty if there is none. */
export function findCycle(arrows: readonly ImportEdge[]): readonly string[] {
  const targets = Map.groupBy(arrows, ({ from }) => from);
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): readonly string[] => {
    const seen = trail.indexOf(file);
    if (seen >= 0) return [...trail.slice(seen), file];
    if (done.has(file)) return [];
    for (const { to } of targets.get(file) ?? []) {
      const circle = walk(to, [...trail, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of targets.keys()) {
    const circle = walk(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
