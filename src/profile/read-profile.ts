import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { InputError } from '../errors.ts';
import { type ServiceProfile, ServiceProfileSchema } from './service-profile.ts';

/** The largest file that is read: a profile of all operations is a tenth of it. */
const MAX_PROFILE_BYTES = 8 * 1024 * 1024;
/** Answers of services end long before. */
const MAX_DEPTH = 200;
const TOO_DEEP_MESSAGE =
  'This is no profile of a service: it is nested too deep. `docshare learn` writes one.';

/**
 * Takes a value as a profile, and for the service that it was learned from.
 * @throws InputError naming the place that is wrong, or both services where they differ.
 */
export function parseProfile(value: unknown, baseUrl?: string): ServiceProfile {
  const data = parseSchema(value);
  const service = URL.canParse(data.service) ? new URL(data.service) : undefined;
  if (!service || !/^https?:$/.test(service.protocol) || service.username || service.search)
    throw new InputError('This is no usable profile: `service` must be the base URL that was learned.');
  if (baseUrl !== undefined) checkOrigin(data, baseUrl);
  return data;
}

/**
 * Reads `docshare.profile.json`.
 * @throws InputError where there is no such file, or it holds no profile, naming the file and the place in it.
 */
export async function readProfile(path: string, baseUrl?: string): Promise<ServiceProfile> {
  return parseProfileFile(await readProfileJson(path), { path, baseUrl });
}

/**
 * What stands in the file of a profile, before anything is known of it, for who has bounds of its own.
 * @throws InputError where there is no such file, or it is no JSON, naming it.
 */
export async function readProfileJson(path: string): Promise<unknown> {
  let bytes: Uint8Array;
  try {
    checkProfileFile(path, await stat(path));
    bytes = await readFile(path);
  } catch (error) {
    throw toReadError(path, error);
  }
  return parseJsonBytes(bytes, path);
}

/** As {@link readProfile}, at once. */
export function readProfileSync(path: string, baseUrl?: string): ServiceProfile {
  let bytes: Uint8Array;
  try {
    checkProfileFile(path, statSync(path));
    bytes = readFileSync(path);
  } catch (error) {
    throw toReadError(path, error);
  }
  return parseProfileFile(parseJsonBytes(bytes, path), { path, baseUrl });
}

/** A pipe that nobody writes to and a device without an end would be read for ever. */
function checkProfileFile(path: string, stats: Stats): void {
  if (!stats.isFile())
    throw new InputError(`The profile ${path} can't be read: it is no file. \`docshare learn\` writes one.`);
  if (stats.size > MAX_PROFILE_BYTES) throw new InputError(`The profile ${path} is larger than 8 MiB.`);
}

function toReadError(path: string, error: unknown): InputError {
  if (error instanceof InputError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new InputError(`The profile ${path} can't be read (${code}). \`docshare learn\` writes one.`);
}

function parseJsonBytes(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new InputError(`The profile ${path} is no JSON. \`docshare learn\` writes one.`);
  }
}

/** As {@link parseProfile}, for what was read from a file: that is named in what is refused. */
export function parseProfileFile(
  value: unknown,
  { path, baseUrl }: { path: string; baseUrl?: string | undefined },
): ServiceProfile {
  try {
    return parseProfile(value, baseUrl);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${path}: ${error.message}`) : error;
  }
}

/** Profiles that were read, by what was handed in: many clients may be made with one. */
const checkedProfiles = new WeakMap<object, ServiceProfile>();

/**
 * Takes a profile for a client, as it stood when it was first handed in.
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
      `This profile was learned from ${profileOrigin}, and the base URL is of ${requestedOrigin}. Learn that service with \`docshare learn\`, or leave the profile out.`,
    );
}

/** Every reader of a form may go down to its ground. */
function checkDepth(profile: ServiceProfile): void {
  let level: readonly unknown[] = [profile];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new InputError(TOO_DEEP_MESSAGE);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

function parseSchema(value: unknown): ServiceProfile {
  let result: ReturnType<typeof ServiceProfileSchema.safeParse>;
  try {
    result = ServiceProfileSchema.safeParse(value);
  } catch (error) {
    // Deeper than the stack holds.
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(TOO_DEEP_MESSAGE);
  }
  if (!result.success) throw new InputError(describeSchemaError(value, result.error));
  checkDepth(result.data);
  return result.data;
}

function describeSchemaError(value: unknown, error: z.ZodError): string {
  const version = (value as { docshareProfile?: unknown } | null)?.docshareProfile;
  if (typeof version === 'number' && version > 1)
    return `This profile has the form ${version}, and this version reads 1: update docshare, or learn the service again.`;
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.');
  return `This is no profile of a service: ${path ? `\`${path}\` ` : ''}${issue?.message ?? ''}. \`docshare learn\` writes one.`;
}
