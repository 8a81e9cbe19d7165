import { readFileSync, type Stats, statSync } from 'node:fs';
import type { z } from 'zod';
import { InputError } from '../errors.ts';
import { type ServiceProfile, ServiceProfileSchema } from './service-profile.ts';

/** Maximum file size; a profile of all operations has a tenth of it. */
const MAX_PROFILE_BYTES = 8 * 1024 * 1024;
/** Far beyond any real service: schemas are processed recursively, and validated slowly. */
const MAX_DEPTH = 200;
const MAX_VALUES = 200_000;
const CREATE_HINT = 'Create one with `docshare learn`.';

/**
 * Parses a profile, for the service at `baseUrl` if given.
 * @throws InputError that names the invalid field, or both services if they differ.
 */
export function parseProfile(value: unknown, baseUrl?: string): ServiceProfile {
  const data = parseSchema(value);
  const service = URL.canParse(data.service) ? new URL(data.service) : undefined;
  if (!service || !/^https?:$/.test(service.protocol) || service.username || service.search)
    throw new InputError('Invalid profile: `service` must be the base URL of the service.');
  if (baseUrl !== undefined) checkOrigin(data, baseUrl);
  return data;
}

/**
 * Reads `docshare.profile.json`.
 * @throws InputError that names the file and the invalid field.
 */
export async function readProfile(path: string, baseUrl?: string): Promise<ServiceProfile> {
  return readProfileSync(path, baseUrl);
}

/** As {@link readProfile}, synchronously. */
export function readProfileSync(path: string, baseUrl?: string): ServiceProfile {
  const value = readJson(path);
  try {
    return parseProfile(value, baseUrl);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${path}: ${error.message}`) : error;
  }
}

function readJson(path: string): unknown {
  try {
    checkProfileFile(path, statSync(path));
    return parseJsonBytes(readFileSync(path), path);
  } catch (error) {
    throw toReadError(path, error);
  }
}

/** A pipe or device could be read forever. */
function checkProfileFile(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new InputError(`The profile ${path} can't be read: it is not a file. ${CREATE_HINT}`);
  if (stats.size > MAX_PROFILE_BYTES) throw new InputError(`The profile ${path} is larger than 8 MiB.`);
}

function toReadError(path: string, error: unknown): InputError {
  if (error instanceof InputError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new InputError(`The profile ${path} can't be read (${code}). ${CREATE_HINT}`);
}

function parseJsonBytes(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new InputError(`The profile ${path} is not JSON. ${CREATE_HINT}`);
  }
}

/** Parsed profiles by input: many clients may share one. */
const checkedProfiles = new WeakMap<object, ServiceProfile>();

/**
 * Parses a profile for a client, as it was when first passed in.
 * @throws InputError as {@link parseProfile}.
 */
export function checkProfile(value: ServiceProfile, baseUrl: string): ServiceProfile {
  const checked = typeof value === 'object' && value !== null ? checkedProfiles.get(value) : undefined;
  const profile = checked ?? parseProfile(value);
  if (!checked) checkedProfiles.set(value, profile);
  checkOrigin(profile, baseUrl);
  return profile;
}

function checkOrigin({ service }: ServiceProfile, baseUrl: string): void {
  const [profileOrigin, requestedOrigin] = [new URL(service).origin, new URL(baseUrl).origin];
  if (profileOrigin !== requestedOrigin)
    throw new InputError(
      `The profile is for ${profileOrigin}, but the base URL is ${requestedOrigin}. Run \`docshare learn\` for that service, or omit the profile.`,
    );
}

/** Checks size and depth without recursion: nesting could overflow the stack. */
function checkBounds(value: unknown): void {
  let level: readonly unknown[] = [value];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length;
    if (depth > MAX_DEPTH) throw new InputError(`Invalid profile: it is nested too deeply. ${CREATE_HINT}`);
    if (values > MAX_VALUES)
      throw new InputError(`Invalid profile: it has more than ${MAX_VALUES} values. ${CREATE_HINT}`);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

function parseSchema(value: unknown): ServiceProfile {
  checkBounds(value);
  const result = ServiceProfileSchema.safeParse(value);
  if (!result.success) throw new InputError(describeSchemaError(value, result.error));
  return result.data;
}

function describeSchemaError(value: unknown, error: z.ZodError): string {
  const version = (value as { docshareProfile?: unknown } | null)?.docshareProfile;
  if (typeof version === 'number' && version > 1)
    return `The profile has format version ${version}, but this version of docshare reads 1. Update docshare, or run \`docshare learn\` again.`;
  const [issue] = error.issues;
  const path = issue?.path.map((name) => String(name).slice(0, 60).replace(/\p{C}/gu, ' ')).join('.');
  const problem = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  return `Invalid profile: ${path ? `\`${path}\` ` : ''}${problem ?? ''}. ${CREATE_HINT}`;
}
