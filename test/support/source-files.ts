/** The sources as a plan of the house: files, rooms, and the arrows that imports draw between them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Source {
  /** From the top of the repository, such as `src/request/send-request.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface ImportEdge {
  readonly from: string;
  readonly to: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export function readSources(folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/(^|\/)(dist|build|node_modules)\//.test(name))
      .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(`${root}${folder}/${name}`, 'utf8') })),
  );
}

/** Every relative import, of types too. */
export function importsIn(files: readonly Source[]): readonly ImportEdge[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) => ({
      from: path,
      to: new URL(target, `file:///${path}`).pathname.slice(1),
    })),
  );
}

/** The files of the first circle that is met, in order; empty where there is none. */
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
