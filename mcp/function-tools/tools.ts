// The published types: this file imports nothing.

export interface ToolsOptions {
  /** Default: `DOCSHARE_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Default: `DOCSHARE_BASE_URL`, with the profile of `DOCSHARE_PROFILE`. */
  readonly baseUrl?: string | undefined;
  /**
   * Shows the question to a person and returns true if they approve, false if they decline. Without it, a call that needs
   * approval does nothing and says so.
   */
  readonly approve?:
    | ((question: string, options: { readonly signal: AbortSignal }) => boolean | Promise<boolean>)
    | undefined;
  /** `always`: every write needs approval. Default: `auto`, what can't be undone or widens access. */
  readonly confirm?: 'auto' | 'always' | undefined;
  /** Maximum number of approved actions per hour. Default: 20. */
  readonly actionsPerHour?: number | undefined;
  /** Offers only the tools of these groups, such as `links`. */
  readonly groups?: readonly string[] | undefined;
  /** Offers only these tools, or these in addition to `groups`. */
  readonly tools?: readonly string[] | undefined;
  /** Tools that are not offered. */
  readonly exclude?: readonly string[] | undefined;
  /** Scopes of the key: tools that need others are not offered. */
  readonly scopes?: readonly string[] | undefined;
  /** Offers no tool that changes anything. */
  readonly readOnly?: boolean | undefined;
  /** Folders that tools read files from and save files to. Default: none. */
  readonly files?: readonly string[] | undefined;
  /** Folder for what programs and servers share: declines, sent agreements, the rate limit. Default: memory. */
  readonly state?: string | undefined;
}

export interface ToolCallResult {
  /** The result as JSON, for the model. */
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly isError: boolean;
}

/** Tools for function calling. */
export interface Tools extends ProviderFormats {
  /** For the system prompt. */
  readonly instructions: string;
  /**
   * Runs the tool that a model called. Never rejects: errors are results that say what to do.
   * @param args an object, or the JSON text that a model wrote
   */
  call(name: string, args: unknown, options?: { readonly signal?: AbortSignal | undefined }): Promise<ToolCallResult>;
  /** Closes the connections. */
  close(): Promise<void>;
}

export interface FormatOptions {
  /** Makes tools strict whose arguments are all known. */
  readonly strict?: boolean | undefined;
}

export interface OpenAiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly strict: boolean;
}
/** A tool of OpenAI's Responses API. */
export interface OpenAiTool extends OpenAiFunction {
  readonly type: 'function';
}
/** A tool of OpenAI's Chat Completions API. */
export interface OpenAiChatTool {
  readonly type: 'function';
  readonly function: OpenAiFunction;
}
/** A tool of Anthropic's Messages API. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly strict?: true;
}
/** A tool of the AI SDK, version 6 or newer. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: StandardJsonSchema;
  readonly execute: (
    args: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<Record<string, unknown>>;
  readonly strict?: true;
}

/** Standard JSON Schema, version 1. */
interface StandardJsonSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

export interface ProviderFormats {
  /** For OpenAI's Responses API. Strict by default. */
  openai(options?: FormatOptions): OpenAiTool[];
  /** For OpenAI's Chat Completions API, and others that copy it. Strict by default. */
  openaiChat(options?: FormatOptions): OpenAiChatTool[];
  /** For Anthropic's Messages API. Not strict by default: the API limits the number of strict tools. */
  anthropic(options?: FormatOptions): AnthropicTool[];
  /** For the AI SDK, which runs the tools itself. Not strict by default, because not every provider can be. */
  aiSdk(options?: FormatOptions): Record<string, AiSdkTool>;
}
