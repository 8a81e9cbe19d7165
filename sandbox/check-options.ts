import { z } from 'zod';
import { optionalField, validateOptions } from './base/validate-options.ts';
import type { SandboxOptions } from './control/sandbox.ts';

const SandboxOptionsSchema = z
  .strictObject({
    port: optionalField(z.int().min(0).max(65_535), 'a number from 0 to 65535'),
    seed: optionalField(z.int().min(0), 'a whole number'),
    profile: z.unknown().optional(),
    data: optionalField(
      z.enum(['company', 'empty']),
      '"company" or "empty" (the folder that stores the state is dataFolder)',
    ),
    fixtures: z.unknown().optional(),
    dataFolder: optionalField(z.string().min(1), 'the path of a folder'),
    clock: optionalField(z.enum(['real', 'manual']), '"real" or "manual"'),
    at: z.unknown().optional(),
    // JavaScript callers may pass a single origin.
    cors: optionalField(z.union([z.string(), z.array(z.string())]), 'a list of origins'),
  } satisfies Record<keyof SandboxOptions, z.ZodType>)
  .describe('an options object');

/**
 * Validates options before anything is created; callers may not use TypeScript.
 *
 * @throws RangeError
 */
export function assertSandboxOptions(options: unknown): asserts options is SandboxOptions {
  validateOptions('createSandbox', SandboxOptionsSchema, options);
}
