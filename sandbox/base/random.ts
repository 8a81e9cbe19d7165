import { createHash } from 'node:crypto';

/** A small seeded generator (mulberry32). Its state is one number, so snapshots can include it. */
export interface Random {
  state: number;
}

export function createRandom(seed: number): Random {
  return { state: Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 };
}

/** Returns the next number in [0, 1). */
export function nextNumber(random: Random): number {
  random.state = (random.state + 0x6d2b79f5) >>> 0;
  let t = random.state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}

/** Returns an integer from `low` to `high`, inclusive. */
export function nextInteger(random: Random, low: number, high: number): number {
  return low + Math.floor(nextNumber(random) * (high - low + 1));
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  const choice = choices[Math.floor(nextNumber(random) * choices.length)];
  if (choice === undefined) throw new Error('pick needs at least one choice');
  return choice;
}

export function nextText(random: Random, length: number, alphabet: string): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[Math.floor(nextNumber(random) * alphabet.length)];
  return text;
}

/** Derives bytes from a root and a label: secret if the root is secret, repeatable if it is known. */
export function deriveBytes(root: Uint8Array, label: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(root).update(label).digest();
}
