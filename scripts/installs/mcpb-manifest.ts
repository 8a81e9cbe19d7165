import { serverInfo } from '../../mcp/setup/server-info.ts';
import { tools } from '../../mcp/tools/index.ts';
import { rootManifest } from '../pack/manifest.ts';

const { baseUrl, apiKey, files } = serverInfo.settings;
const userConfigPlaceholder = (name: string) => `\${user_config.${name}}`;

/** Manifest of the `.mcpb`: the host asks for each setting in a form and stores the key in the keychain. */
export const mcpbManifest = {
  manifest_version: '0.3',
  name: serverInfo.package,
  display_name: serverInfo.title,
  version: rootManifest.version,
  description: serverInfo.description,
  author: { name: serverInfo.author },
  icon: 'icon.png',
  server: {
    type: 'node',
    entry_point: 'server/bin.cjs',
    mcp_config: {
      command: 'node',
      // One argument: with two, an empty setting would leave the option without a value.
      args: [`\${__dirname}/server/bin.cjs`, `${files.option}=${userConfigPlaceholder('folder')}`],
      env: {
        [baseUrl.env]: userConfigPlaceholder('base_url'),
        [apiKey.env]: userConfigPlaceholder('api_key'),
        HTTPS_PROXY: userConfigPlaceholder('proxy'),
        // Trusts a company's own certificate authority.
        NODE_USE_SYSTEM_CA: '1',
      },
    },
  },
  tools: tools.map(({ name, description }) => ({ name, description })),
  prompts_generated: true,
  keywords: [...serverInfo.keywords],
  license: serverInfo.license,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: rootManifest.engines.node } },
  user_config: {
    base_url: { type: 'string', title: baseUrl.title, description: baseUrl.description, required: true },
    api_key: { type: 'string', title: apiKey.title, description: apiKey.description, sensitive: true, required: true },
    // Required: an unset value would reach the server as its placeholder.
    folder: { type: 'directory', title: files.title, description: files.description, required: true },
    proxy: {
      type: 'string',
      title: 'Proxy',
      description: 'Your company’s proxy, such as http://proxy.example.com:8080; usually empty',
      default: '',
      required: false,
    },
  },
};
