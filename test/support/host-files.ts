/** Real-world settings files, by host: with other servers, comments and unusual formatting. */
export const HOST_FILES: Readonly<Record<string, string>> = {
  'claude-desktop': `{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ada/Desktop"]
    }
  },
  "preferences": { "menuBarEnabled": false }
}
`,
  // Written by the program itself: two spaces, no line break at the end.
  'claude-code': JSON.stringify(
    {
      numStartups: 184,
      theme: 'dark',
      mcpServers: { linear: { type: 'http', url: 'https://mcp.linear.app/mcp' } },
      projects: { '/Users/ada/decks': { allowedTools: [], mcpServers: {}, history: [{ display: '{"a": 1}' }] } },
      oauthAccount: { emailAddress: 'ada@example.com' },
    },
    null,
    2,
  ),
  cursor: '{\n\t"mcpServers": {\n\t\t"github": { "url": "https://api.githubcopilot.com/mcp/" }\n\t}\n}\n',
  // JSON with comments, trailing commas, CRLF, as on Windows.
  vscode: [
    '// My servers',
    '{',
    '    "inputs": [',
    '        { "type": "promptString", "id": "gh", "description": "GitHub token", "password": true }, // keep',
    '    ],',
    '    "servers": {',
    '        "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" }, /* the official one */',
    '    },',
    '}',
    '',
  ].join('\r\n'),
  'lm-studio': '{\n  "mcpServers": {}\n}',
  gemini: `{
  // Signed in with Google
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "ui": { "theme": "GitHub" }
}
`,
  zed: `// Zed settings
//
// For information on how to configure Zed, see the Zed documentation: https://zed.dev/docs/configuring-zed
{
  "ui_font_size": 16,
  "context_servers": {
    "postgres": {
      "source": "custom",
      "command": "postgres-mcp",
      "args": [],
      "env": {},
    },
    // "old": { "command": "x" },
  },
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },
}
`,
  qwen: '{\n  "ui": { "theme": "Qwen Dark" }\n}\n',
  copilot:
    '{\n  "mcpServers": { "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/", "tools": ["*"] } }\n}',
  opencode:
    '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "mcp": { "exa": { "type": "remote", "url": "https://mcp.exa.ai/mcp" } },\n}\n',
  cline: '{\n  "mcpServers": {}\n}',
  continue: '{ "mcpServers": { "docs": { "command": "npx", "args": ["docs"] } } }',
  'devin-desktop': '\uFEFF{"mcpServers":{"figma":{"serverUrl":"http://127.0.0.1:3845/mcp"}}}',
};
