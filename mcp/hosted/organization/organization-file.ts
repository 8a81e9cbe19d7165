import { readFileSync } from 'node:fs';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { z } from 'zod';
import { isLoopbackHostname } from '../../../src/loopback.ts';
import { SCOPES } from '../../../src/scopes.ts';
import { parseWebUrl } from '../../../src/web-url.ts';
import { getSystemErrorCode } from '../../error-code.ts';
import { CommandLineError } from '../../server/parse-command-line.ts';
import { createEncryptor, deriveKey } from '../../state/encryptor.ts';

const SEALED_PREFIX = 'sealed:';

const SecureUrl = z.string().refine((text) => {
  const { url } = parseWebUrl(text);
  return url !== undefined && (url.protocol === 'https:' || isLoopbackHostname(url.hostname));
}, 'must be an https:// URL');
const Sealed = z.string().startsWith(SEALED_PREFIX, 'must be the output of docshare-mcp seal');
const Name = z.string().min(1).max(80);
/** Apps and agents authenticate with a secret or with their own key pair; an app may also be public. */
const PublicKey = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })
  .refine((key) => !('d' in key), 'is a private key; the file holds public keys only');
const Credentials = { secret: Sealed.optional(), jwks: z.looseObject({ keys: z.array(PublicKey).min(1) }).optional() };

const OrganizationFile = z.strictObject({
  identity_provider: z
    .strictObject({ issuer: SecureUrl, jwks_url: SecureUrl, groups_claim: Name.default('groups') })
    .optional(),
  /** Apps that employees use, by the `client_id` that the identity provider puts into its assertions. */
  apps: z.array(z.strictObject({ client_id: Name, name: Name, ...Credentials })).default([]),
  roles: z
    .array(
      z.strictObject({
        name: Name,
        /** Groups of the identity provider whose members get this role; the first role that fits counts. */
        groups: z.array(Name).default([]),
        api_key: Sealed,
        scopes: z.array(z.enum(SCOPES)).min(1).optional(),
        read_only: z.boolean().default(false),
        confirm: z.enum(['auto', 'always']).default('auto'),
      }),
    )
    .min(1),
  /** Scheduled programs that sign in without a person. They only read unless `writes` is true. */
  agents: z
    .array(
      z.strictObject({ client_id: Name, name: Name, role: Name, writes: z.boolean().default(false), ...Credentials }),
    )
    .default([]),
});

/** People and programs that sign in without pasting a key, and the keys of the workspace that they get. */
export type Organization = z.infer<typeof OrganizationFile>;
export type Role = Organization['roles'][number];
export type OrganizationApp = Organization['apps'][number];
export type OrganizationAgent = Organization['agents'][number];

/** Reads the file of `--organization` and decrypts its secrets. @throws CommandLineError that says what to correct */
export async function readOrganizationFile(path: string, secrets: readonly string[]): Promise<Organization> {
  const fail = (problem: string): never => {
    throw new CommandLineError(`--organization ${path}: ${problem}.`);
  };
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    fail(`the file can't be read (${getSystemErrorCode(error)})`);
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) fail(`line ${text.slice(0, first.offset).split('\n').length}: ${printParseErrorCode(first.error)}`);
  const result = OrganizationFile.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    return fail(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
  }
  const organization = result.data;
  checkReferences(organization, fail);
  const encryptor = await createSealer(secrets);
  const unseal = async (sealed: string, place: string) =>
    (await encryptor.decrypt(sealed.slice(SEALED_PREFIX.length))) ??
    fail(`${place} was sealed with other DOCSHARE_SECRETS. Seal it again`);
  const unsealSecret = async <Item extends { client_id: string; secret?: string | undefined }>(
    item: Item,
  ): Promise<Item> =>
    item.secret === undefined
      ? item
      : { ...item, secret: await unseal(item.secret, `the secret of ${item.client_id}`) };
  return {
    ...organization,
    apps: await Promise.all(organization.apps.map(unsealSecret)),
    agents: await Promise.all(organization.agents.map(unsealSecret)),
    roles: await Promise.all(
      organization.roles.map(async (role) => ({
        ...role,
        api_key: await unseal(role.api_key, `the key of ${role.name}`),
      })),
    ),
  };
}

function checkReferences(
  { identity_provider, apps, agents, roles }: Organization,
  fail: (problem: string) => never,
): void {
  const findDuplicate = (texts: readonly string[]) => texts.find((text, index) => texts.indexOf(text) !== index);
  const twice = findDuplicate([...apps, ...agents].map(({ client_id }) => client_id));
  if (twice !== undefined) fail(`client_id ${twice} is used twice`);
  const sameName = findDuplicate(roles.map(({ name }) => name));
  if (sameName !== undefined) fail(`the role ${sameName} is listed twice`);
  if (apps.length > 0 && !identity_provider) fail('apps need an identity_provider');
  const cannotRead = ({ scopes }: Role) => scopes?.every((scope) => !scope.endsWith(':read')) === true;
  for (const role of roles)
    if (role.read_only && cannotRead(role)) fail(`the role ${role.name} is read_only, but has no scope that reads`);
  for (const { client_id, role: roleName, secret, jwks, writes } of agents) {
    const role = roles.find(({ name }) => name === roleName);
    if (!role) fail(`agent ${client_id} has the unknown role ${roleName}`);
    if (!writes && cannotRead(role))
      fail(`agent ${client_id} only reads, but its role ${roleName} has no scope that reads`);
    if (!secret && !jwks) fail(`agent ${client_id} needs a secret or jwks`);
  }
}

/** Encrypts a key or secret for the file of `--organization`; only servers with the same secrets can read it. */
export async function sealSecret(text: string, secrets: readonly string[]): Promise<string> {
  return `${SEALED_PREFIX}${await (await createSealer(secrets)).encrypt(text)}`;
}

function createSealer(secrets: readonly string[]) {
  return createEncryptor(secrets.map((secret) => deriveKey(secret, 'organization')));
}
