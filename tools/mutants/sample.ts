import type { FileRange, Mutant } from './stryker-server.ts';

export interface MutantInFile {
  readonly path: string;
  readonly mutant: Mutant;
}

/** Kinds of changes that are not tested: snapshots hold texts and tables. */
export const EXCLUDED_MUTATORS = ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex'];

/** More mutants in one place would fill the sample with one line. */
const MAX_NESTED = 4;

/**
 * Picks up to `size` mutants in an order that depends on the seed alone. Stryker tests everything inside a range, so a
 * mutant that contains others counts with them and is skipped if they don't fit.
 */
export function sampleMutants(all: readonly MutantInFile[], { size, seed }: { size: number; seed: string }) {
  const candidates = all
    .map((entry) => ({ entry, rank: hash(`${seed} ${describeMutant(entry)}`) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
  const picked = new Set<MutantInFile>();
  const ranges: FileRange[] = [];
  for (const candidate of candidates) {
    const inside = all.filter((entry) => isInside(entry, candidate) && !picked.has(entry));
    if (!inside.includes(candidate) || inside.length > MAX_NESTED || picked.size + inside.length > size) continue;
    for (const entry of inside) picked.add(entry);
    ranges.push({ path: candidate.path, range: candidate.mutant.location });
  }
  return { ranges, count: picked.size };
}

export function describeMutant({ path, mutant }: MutantInFile): string {
  const { line, column } = mutant.location.start;
  const replacement = (mutant.replacement ?? '').replace(/\s+/g, ' ').slice(0, 80);
  return `${path}:${line}:${column} ${mutant.mutatorName} -> ${replacement}`;
}

function isInside(a: MutantInFile, b: MutantInFile): boolean {
  const [inner, outer] = [a.mutant.location, b.mutant.location];
  return a.path === b.path && !isBefore(inner.start, outer.start) && !isBefore(outer.end, inner.end);
}

function isBefore(a: Mutant['location']['start'], b: Mutant['location']['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}
