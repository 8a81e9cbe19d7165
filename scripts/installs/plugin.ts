import { offer } from '../../mcp/setup/offer.ts';
import { startByPackage } from '../../mcp/setup/start-line.ts';
import { root } from '../pack/manifest.ts';

const { baseUrl, apiKey } = offer.settings;
const asked = (name: string) => `\${user_config.${name}}`;
const start = startByPackage({ version: root.version, platform: 'linux' });
const about = {
  name: offer.name,
  version: root.version,
  description: offer.description,
  author: { name: offer.author },
  license: offer.license,
  keywords: offer.keywords,
};

/** The manifests of the plugin, by path: one folder for the hosts of the open format and for Claude Code. */
export const pluginFiles: Readonly<Record<string, unknown>> = {
  'plugin/plugin.json': { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', ...about },
  // The format has no place for secrets: the key comes from the environment that the host runs in.
  'plugin/mcp.json': {
    $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
    mcpServers: { [offer.name]: { type: 'stdio', ...start } },
  },
  'plugin/.claude-plugin/plugin.json': {
    ...about,
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
      [offer.name]: { ...start, env: { [baseUrl.env]: asked('base_url'), [apiKey.env]: asked('api_key') } },
    },
  },
  '.claude-plugin/marketplace.json': {
    name: offer.name,
    owner: { name: offer.author },
    plugins: [{ name: offer.name, source: './plugin', description: offer.description }],
  },
};
