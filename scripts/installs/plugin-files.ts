import { getSkillFiles, workflows } from '../../mcp/resources/workflows.ts';
import { getNpxCommand } from '../../mcp/setup/launch-command.ts';
import { serverInfo } from '../../mcp/setup/server-info.ts';
import { rootManifest } from '../pack/manifest.ts';

const { baseUrl, apiKey } = serverInfo.settings;
const userConfigPlaceholder = (name: string) => `\${user_config.${name}}`;
/** On Windows `npx` is a batch file, which only a shell can start. One entry works on every system. */
const START_SCRIPT =
  "require('child_process').spawn('npx',process.argv.slice(1),{stdio:'inherit',shell:process.platform==='win32'}).on('exit',c=>process.exit(c??1))";
const { args } = getNpxCommand({ version: rootManifest.version, platform: 'linux' });
const startCommand = { command: 'node', args: ['-e', START_SCRIPT, '--', ...args] };
const metadata = {
  name: serverInfo.name,
  version: rootManifest.version,
  description: serverInfo.description,
  author: { name: serverInfo.author },
  license: serverInfo.license,
  keywords: serverInfo.keywords,
};

const skills = Object.entries(getSkillFiles(workflows)).map(([path, text]) => [`plugin/skills/${path}`, text]);

/** Manifests and skills of the plugin, by path: one folder for Claude Code and hosts of the open format. */
export const pluginFiles: Readonly<Record<string, unknown>> = {
  'plugin/plugin.json': { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', ...metadata },
  // The format has no field for secrets, so the key comes from the host's environment.
  'plugin/mcp.json': {
    $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
    mcpServers: { [serverInfo.name]: { type: 'stdio', ...startCommand } },
  },
  'plugin/.claude-plugin/plugin.json': {
    ...metadata,
    userConfig: {
      base_url: { type: 'string', title: baseUrl.title, description: baseUrl.description, required: true },
      api_key: {
        type: 'string',
        title: apiKey.title,
        description: apiKey.description,
        required: true,
        sensitive: true,
      },
    },
    mcpServers: {
      [serverInfo.name]: {
        ...startCommand,
        env: { [baseUrl.env]: userConfigPlaceholder('base_url'), [apiKey.env]: userConfigPlaceholder('api_key') },
      },
    },
  },
  ...Object.fromEntries(skills),
  '.claude-plugin/marketplace.json': {
    name: serverInfo.name,
    owner: { name: serverInfo.author },
    plugins: [{ name: serverInfo.name, source: './plugin', description: serverInfo.description }],
  },
};
