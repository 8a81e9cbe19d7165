import { z } from 'zod';
import { createOptionalField, validateOptions } from './base/validate-options.ts';
import type { SandboxOptions } from './control/sandbox.ts';

const SandboxOptionsSchema = z
  .strictObject({
    port: createOptionalField(z.int().min(0).max(65_535), 'a number from 0 to 65535'),
    seed: createOptionalField(z.int().min(0), 'a whole number'),
    profile: z.unknown().optional(),
    data: createOptionalField(
      z.enum(['company', 'empty']),
      '"company" or "empty" (the folder that stores the state is dataFolder)',
    ),
    fixtures: z.unknown().optional(),
    dataFolder: createOptionalField(z.string().min(1), 'the path of a folder'),
    clock: createOptionalField(z.enum(['real', 'manual']), '"real" or "manual"'),
    at: z.unknown().optional(),
    // JavaScript callers may pass a single origin.
    cors: createOptionalField(z.union([z.string(), z.array(z.string())]), 'a list of origins'),
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
