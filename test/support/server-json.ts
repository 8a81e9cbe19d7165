import { z } from 'zod';

/** The registry's schema of 2025-12-11 for npm packages, written by hand and stricter: no unknown fields. */
const Input = z.strictObject({
  description: z.string().optional(),
  placeholder: z.string().optional(),
  default: z.string().optional(),
  value: z.string().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  choices: z.array(z.string()).optional(),
});
const version = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
const Package = z.strictObject({
  registryType: z.literal('npm'),
  identifier: z.string().regex(/^[a-z0-9-]+$/),
  version,
  runtimeHint: z.literal('npx'),
  transport: z.strictObject({ type: z.literal('stdio') }),
  packageArguments: z.array(
    Input.extend({ type: z.literal('named'), name: z.string().regex(/^--/), isRepeated: z.boolean().optional() }),
  ),
  environmentVariables: z.array(Input.extend({ name: z.string().regex(/^[A-Z_]+$/) })),
});

const Remote = z.strictObject({
  type: z.literal('streamable-http'),
  url: z.string().regex(/^https?:\/\/[^\s]+$/),
  variables: z.record(z.string(), Input),
});

export const ServerJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z.array(Package).min(1),
  remotes: z.array(Remote),
});
