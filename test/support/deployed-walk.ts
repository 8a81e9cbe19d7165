/**
 * Runs a deployment of `deploy/` as plain processes, with its arguments, environment and restrictions, and uses it as
 * docs/hosting.md describes: `node deployed-walk.ts compose|kubernetes`. Needs a network namespace that has the address
 * {@link PUBLIC_ADDRESS}. Prints the outcome of each use as JSON.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSandbox } from '../../sandbox/index.ts';
import { startRoundRobin } from '../../scripts/round-robin.ts';
import { readDeployment } from './deployed-settings.ts';
import { mcpMain } from './entry.ts';
import { callAt } from './hosted-calls.ts';
import { refreshAt } from './hosted-oauth.ts';
import { createPerson, tokensAt } from './hosted-visitor.ts';
import { startRedis } from './redis-server.ts';
import { root } from './root-folder.ts';

const PUBLIC_ADDRESS = '93.184.216.34';
const FILE = Buffer.from('name,amount\n'.repeat(150_000));

/** Runs a command in its own root, as in the image: nothing is writable, there is no /tmp, and the user is nobody. */
const ISOLATE = `set -e
root=$1 app=$2 node=$3 user=$4; shift 4
mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir "$root/app" "$root/node" "$root/etc" "$root/dev" "$root/proc"
echo '127.0.0.1 localhost redis docshare-redis' > "$root/etc/hosts"
for name in usr lib lib64 bin; do
  if [ -L /$name ]; then cp -P /$name "$root/$name"; elif [ -d /$name ]; then mkdir "$root/$name"; mount --bind /$name "$root/$name"; fi
done
mount --bind "$app" "$root/app"; mount --bind "$node" "$root/node"; mount --rbind /dev "$root/dev"; mount --rbind /proc "$root/proc"
mount -o remount,bind,ro "$root/app"; mount -o remount,ro "$root"
exec chroot --userspec="$user" "$root" /node/node "$@"`;

const deployment = readDeployment(process.argv[2] === 'kubernetes' ? 'kubernetes' : 'compose');
const sandbox = await createSandbox();
const balancer = await startRoundRobin();
const redis = await startRedis([...deployment.redisArgs, '--port', '6379']);
const files = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/csv', 'content-length': FILE.length }).end(FILE);
});
await new Promise<void>((resolve) => files.listen(80, PUBLIC_ADDRESS, resolve));
const outcomes: Record<string, unknown> = {};
const folder = mkdtempSync(join(tmpdir(), 'docshare-root-'));

function isolate(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const node = dirname(process.execPath);
  const child = spawn('unshare', ['--mount', 'sh', '-c', ISOLATE, 'sh', folder, root, node, deployment.user, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => output.push(line));
  return { child, output };
}

/** Replaces what is missing here: a public name, its certificate, the service, a second machine with equal ports. */
async function startReplica(index: number) {
  const args = deployment.args.map((arg) =>
    arg
      .replace(/^dist\/main\.js$/, join('/app', relative(root, mcpMain)))
      .replace(/^(--port|--metrics-port)=(\d+)$/, (_, name, port) => `${name}=${Number(port) + index}`)
      .replace(/^--public-url=.*/, `--public-url=${balancer.origin}`),
  );
  const { child, output } = isolate(args, {
    ...deployment.env,
    DOCSHARE_BASE_URL: sandbox.url,
    NODE_OPTIONS: `--max-old-space-size=${deployment.memoryMb / 2}`,
  });
  const metrics = `http://127.0.0.1:${9464 + index}`;
  while (!(await fetch(`${metrics}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(output.join('\n'));
    await sleep(100);
  }
  return { child, output, metrics, port: 3000 + index };
}

const attempts = ['/x', '/tmp/x', '/app/x', '/etc/x'].map((path) => `try{fs.writeFileSync('${path}','');n++}catch{}`);
const writing = isolate(['-e', `const fs=require('fs');let n=0;${attempts.join(';')};console.log(n)`]);
await once(writing.child, 'close');
outcomes['writable'] = writing.output;

const replicas = [await startReplica(0), await startReplica(1)];
balancer.setPorts(replicas.map(({ port }) => port));
const { origin } = balancer;
const person = createPerson(origin);
const { host, tokens } = await tokensAt(origin, { key: sandbox.key(), person });
const call = (name: string, args: object = {}) => callAt(origin, tokens.access_token, name, args);
outcomes['call'] = (await call('get_usage')).isError;

const uploaded = await call('upload_document', { url: `http://${PUBLIC_ADDRESS}/Deck.csv` });
outcomes['upload by url'] = uploaded.data['size_bytes'] ?? uploaded.data;
const attached = {
  download_url: `http://${PUBLIC_ADDRESS}/Deck.csv`,
  file_id: 'file_1',
  file_name: 'Figures',
  mime_type: 'text/csv',
};
const chat = await call('upload_document', { file: attached });
outcomes['upload from the chat'] = chat.data['name'] ?? chat.data;
const lie = await call('upload_document', { file: { ...attached, mime_type: 'application/pdf' } });
outcomes['a lying type is refused'] = lie.isError;
const program = String((await call('upload_document', { name: 'Program.csv' })).data['upload_url']);
outcomes['upload by a program'] = (await fetch(program, { method: 'PUT', body: FILE })).status;
const page = String((await call('upload_document', { name: 'Page.csv' })).data['upload_url']);
outcomes['upload page'] = [
  (await person.load(page, { headers: { accept: 'text/html' } })).html.includes('<form'),
  (await fetch(`${page}?name=Page.csv`, { method: 'PUT', body: FILE, headers: { origin } })).status,
  (await call('upload_document', { name: 'Page.csv' })).data['done'],
];

const { data: agreements } = await call('list_agreements');
const agreement = (agreements['items'] as { id: string; status: string }[]).find(({ status }) => status === 'signed');
const download = await call('download_agreement', { id: agreement?.id });
const file = await fetch(String(download.data['url']));
outcomes['download'] = [
  file.status,
  Buffer.from(await file.arrayBuffer())
    .subarray(0, 5)
    .toString(),
];

const { data: links } = await call('list_links', { limit: 1 });
const deletion = { id: (links['items'] as { id: string }[])[0]?.id };
const question = new URL(String((await call('delete_link', deletion)).data['confirm_url']));
outcomes['approval'] = await person.answer(question.pathname, 'approve');
outcomes['approved call'] = (await call('delete_link', deletion)).isError;

const refreshed = await refreshAt(origin, host, tokens.refresh_token);
outcomes['refresh'] = refreshed.status;

const [first, second] = replicas;
if (!first || !second) throw new Error('two replicas were started');
const exited = once(first.child, 'exit');
first.child.kill('SIGTERM');
await exited;
outcomes['call while one replica restarts'] = (await call('get_usage')).isError;
const restarted = await startReplica(0);
outcomes['call after the restart'] = (await call('list_documents')).isError;
const probe = await fetch(`${restarted.metrics}/readyz`);
const ready = (await probe.json()) as { replica: string; state: { backend: string; replicas: number } };
outcomes['readyz'] = [
  probe.status,
  ready.state.backend,
  ready.state.replicas,
  (await fetch(`${origin}/readyz`)).status,
];
const metrics = await (await fetch(`${second.metrics}/metrics`)).text();
outcomes['metrics'] = [/^docshare_state_up 1$/m, /^mcp_server_operation_duration_seconds_count\{/m].map((line) =>
  line.test(metrics),
);
const lines = [...first.output, ...second.output];
outcomes['audit'] = lines.some((line) => line.includes('"delete_link"') && line.includes('"started"'));
outcomes['errors'] = lines.filter((line) => line.includes('"level":"error"'));
console.log(JSON.stringify(outcomes));

for (const { child } of [...replicas, restarted]) child.kill('SIGKILL');
files.close();
await Promise.allSettled([balancer.close(), redis.close(), sandbox.close()]);
rmdirSync(folder);
process.exit();
