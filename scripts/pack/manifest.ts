import { readFileSync } from 'node:fs';

interface RootManifest {
  readonly version: string;
  readonly license: string;
  /** Name in MCP registries, whose namespace is verified on publishing. */
  readonly mcpName: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** The repository's manifest, the source of the packages' manifests. */
export const rootManifest: RootManifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Minimum Node version, as `major.minor`. */
export const MIN_NODE = /\d+\.\d+/.exec(rootManifest.engines.node)?.[0] ?? '';

/** Creates the manifest of a package: shared fields and its own. */
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

/** Compatible version ranges, so that a library shares its dependencies with others. */
export function compatibleVersions(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `^${rootManifest.dependencies[name]}`]));
}
