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
export const rootManifest: RootManifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The oldest Node that the packages run on, as `major.minor`. */
export const MIN_NODE = /\d+\.\d+/.exec(rootManifest.engines.node)?.[0] ?? '';

/** What the manifests of all packages say alike, with the fields of one. */
export function createManifest(manifest: {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly [field: string]: unknown;
}): object {
  const { name, description, keywords, ...fields } = manifest;
  const { version, license, engines } = rootManifest;
  return { name, version, description, keywords, license, type: 'module', engines, ...fields };
}

/** Versions that a library asks for: any that is compatible, so that it shares one with others. */
export function compatibleVersions(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `^${rootManifest.dependencies[name]}`]));
}
