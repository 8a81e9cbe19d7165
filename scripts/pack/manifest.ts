import { readFileSync } from 'node:fs';

interface RootManifest {
  readonly version: string;
  readonly license: string;
  /** The server's name in registries: its namespace is proved when it is published. */
  readonly mcpName: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** The manifest of the repository, from which those of its packages are made. */
export const root: RootManifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** What the manifests of all packages say alike, with the fields of one. */
export function createManifest(own: {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly [field: string]: unknown;
}): object {
  const { name, description, keywords, ...fields } = own;
  const { version, license, engines } = root;
  return { name, version, description, keywords, license, type: 'module', engines, ...fields };
}

/** Versions that a library asks for: any that is compatible, so that it shares one with others. */
export function compatible(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `^${root.dependencies[name]}`]));
}
