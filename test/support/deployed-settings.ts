import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8');

/** The command of a deployment and its limits. */
export interface Deployment {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly redisArgs: readonly string[];
  readonly memoryMb: number;
  /** `uid:gid`, of the pod or of the image. */
  readonly user: string;
}

/** Settings that the operator enters. */
const SETTINGS: Readonly<Record<string, string>> = {
  PUBLIC_HOST: 'mcp.example.com',
  DOCSHARE_BASE_URL: 'https://docshare.example.com/api/v1',
  DOCSHARE_SECRETS: 'q3sKx0mZ7r2Vb9LtYw5NcE8uHf1JdPa4gXiOoRvT6kM=',
  REDIS_PASSWORD: 'f00dfeed0123456789',
  POD_NAME: 'docshare-mcp-1',
};
const SECRET_KEYS: Readonly<Record<string, string | undefined>> = {
  secrets: SETTINGS['DOCSHARE_SECRETS'],
  'redis-password': SETTINGS['REDIS_PASSWORD'],
};

const Compose = z.object({
  services: z.object({
    'mcp-1': z.object({
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      mem_limit: z.string(),
      command: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
    }),
    redis: z.object({ command: z.array(z.string()) }),
  }),
});
const Container = z.object({
  args: z.array(z.string()),
  env: z.array(
    z.object({
      name: z.string(),
      value: z.string().optional(),
      valueFrom: z.object({ secretKeyRef: z.object({ key: z.string() }).optional() }).optional(),
    }),
  ),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true) }),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
});
const Workload = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        securityContext: z.object({ runAsUser: z.number(), runAsGroup: z.number() }),
        containers: z.tuple([Container]),
      }),
    }),
  }),
});

export function readDeployment(kind: 'compose' | 'kubernetes'): Deployment {
  return kind === 'compose' ? readCompose() : readKubernetes();
}

function readCompose(): Deployment {
  const { services } = Compose.parse(parse(read('compose.yaml'), { merge: true }));
  const { command, environment, mem_limit } = services['mcp-1'];
  const fill = (text: string) => text.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name) => SETTINGS[name] ?? '');
  return {
    args: command.map(fill),
    env: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)])),
    redisArgs: services.redis.command.slice(1).flatMap((part) => fill(part).split(' ')),
    memoryMb: Number.parseInt(mem_limit, 10),
    user: /^USER (\S+)$/m.exec(read('Dockerfile'))?.[1] ?? '',
  };
}

function readKubernetes(): Deployment {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
  const find = (wanted: string) => Workload.parse(documents.find(({ kind }) => kind === wanted)).spec.template.spec;
  const expand = (text: string) => text.replace(/\$\((\w+)\)/g, (_, name) => SETTINGS[name] ?? '');
  const { securityContext, containers } = find('Deployment');
  const [{ args, env, resources }] = containers;
  const values = env.map(({ name, value, valueFrom }) => {
    const secret = valueFrom?.secretKeyRef && SECRET_KEYS[valueFrom.secretKeyRef.key];
    return [name, secret ?? expand(value ?? SETTINGS[name] ?? '')] as const;
  });
  return {
    args: args.map(expand),
    env: Object.fromEntries(values),
    redisArgs: find('StatefulSet').containers[0].args.map(expand),
    memoryMb: Number.parseInt(resources.limits.memory, 10),
    user: `${securityContext.runAsUser}:${securityContext.runAsGroup}`,
  };
}
