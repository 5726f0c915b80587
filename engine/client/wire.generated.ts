// Written by `npm run client:generate` from engine/openapi.json.
import type { CallOptions } from "../../shared/client/operation.ts";

export type { CallOptions };

/** A stored string that should hold JSON, and does not. */
export interface Malformed {
  malformed: string;
}

/** An event of a stream, as it came. */
export interface StreamedEvent {
  id: string;
  event: string;
  data: unknown;
}

/** The state of the engine. */
export interface Health {
  /** Always `ok`. */
  status: "ok";
  /** The version of the engine. */
  version: string;
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = Record<string, unknown>;

/** The response of the placeholder. */
export interface AguiPlaceholder {
  /** A sentence to show to the user. */
  message: string;
}

/** The session at the account server. */
export interface AccountSession {
  /** Whether a user is signed in. */
  authenticated: boolean;
  /** The user; null where none is signed in. */
  user: AccountUser | null;
  /** A sentence to show to the user, such as why the session ended. */
  notice?: string;
}

/** The user of the account at the account server. */
export interface AccountUser {
  /** The id of the user at the account server. */
  id: string;
  /** The verified e-mail address. */
  email: string;
  /** The name to show; null where there is none. */
  displayName: string | null;
  /** The address of a picture; null where there is none. */
  avatarUrl: string | null;
  /** The slugs of the connected providers. */
  connectedProviders: Array<string>;
}

/** Why a request failed. */
export interface ErrorBody {
  /** A sentence to show to the user. */
  error: string;
  /** The field and its rule, or what to do; absent for some errors. */
  details?: string;
}

/** Which account server the engine uses. */
export interface AccountServer {
  /** Its address; null where none is configured (`ENGINE_ACCOUNT_URL`). */
  url: string | null;
}

/** An e-mail address with its password. */
export interface AccountLogin {
  /** The e-mail address; trimmed. */
  email: string;
  /** The password; trimmed. */
  password: string;
  /** The code of the authenticator app, or a recovery code, if the account has a second factor; trimmed. */
  secondFactor?: string;
}

/** The response to a request for a sign-up code. */
export interface SignupNotice {
  /** A sentence to show to the user. */
  notice: string;
}

/** The recipient of a sign-up code. */
export interface SignupCodeRequest {
  /** The e-mail address; trimmed. */
  email: string;
}

/** A mailed sign-up code, and the new account. */
export interface SignupCompleteRequest {
  /** The e-mail address that got the code; trimmed. */
  email: string;
  /** The mailed code; trimmed. */
  code: string;
  /** The password of the new account; trimmed. */
  password: string;
  /** The name to show; trimmed, and left out where there is none. */
  displayName?: string;
}

/** A session to take over. */
export interface AdoptSession {
  /** Its refresh token; the engine rotates it at once. */
  refreshToken: string;
}

/** A workspace. */
export interface Workspace {
  /** The number of the workspace in the database. */
  id: number;
  /** The uuid of the workspace. */
  uuid: string;
  /** The name; not empty. */
  name: string;
  /** What the workspace is for; null where there is none. */
  description: string | null;
  /** The id of the model configuration of new turns; null is the engine's default. */
  defaultModelId: string | null;
  /** Which tools may be used, as JSON; null switches nothing off. A thread's is merged over its workspace's. */
  toolsConfig: ToolsConfig | Malformed | null;
  /** The roots: a JSON array of absolute paths; null has none. Anything else counts as none. */
  directories: Directories | Malformed | null;
  /** Which operations ask the user first, as JSON; null asks for all. A thread's replaces its workspace's. */
  approvalConfig: ApprovalConfig | Malformed | null;
  /** Which roots are not searched, as JSON; null leaves all roots enabled. */
  ragConfig: RagConfig | Malformed | null;
  /** When it was created, ISO-8601 in UTC. */
  createdAt: string;
  /** When it was last changed, ISO-8601 in UTC. */
  updatedAt: string;
}

/** The fields of a workspace; one that is left out becomes null. */
export interface CreateWorkspace {
  /** The name; not empty. */
  name: string;
  /** What the workspace is for; null where there is none. */
  description?: string | null;
  /** The id of the model configuration of new turns; null is the engine's default. */
  defaultModelId?: string | null;
  /** Which tools may be used, as JSON; null switches nothing off. A thread's is merged over its workspace's. */
  toolsConfig?: ToolsConfig | Malformed | null;
  /** The roots: a JSON array of absolute paths; null has none. Anything else counts as none. */
  directories?: Directories | Malformed | null;
  /** Which operations ask the user first, as JSON; null asks for all. A thread's replaces its workspace's. */
  approvalConfig?: ApprovalConfig | Malformed | null;
  /** Which roots are not searched, as JSON; null leaves all roots enabled. */
  ragConfig?: RagConfig | Malformed | null;
}

/** The skills of a workspace. */
export interface WorkspacePolicy {
  /** Instructions that are added to turns, as JSON; null has none. A malformed one fails the turn. */
  skillsConfig: SkillsConfig | Malformed | null;
}

/** The new policy; a field that is left out becomes null. */
export interface ReplaceWorkspacePolicy {
  /** Instructions that are added to turns, as JSON; null has none. A malformed one fails the turn. */
  skillsConfig?: SkillsConfig | Malformed | null;
}

/** The instructions of a workspace. */
export interface WorkspaceInstructions {
  /** What each turn is sent, after the engine's own instructions; empty for nothing. */
  text: string;
  /** Whether the file `AGENTS.md` of each root is added, as it is at each turn. */
  useAgentsFile: boolean;
}

/** A thread. */
export interface Thread {
  /** The number of the thread in the database. */
  id: number;
  /** The uuid of the thread. */
  uuid: string;
  /** The uuid of its workspace. */
  workspaceUuid: string;
  /** The title; null until there is one. */
  title: string | null;
  /** What the thread is about; null where there is none. */
  description: string | null;
  /** The id of the model configuration of its turns; null is that of the workspace. */
  defaultModelId: string | null;
  /** Which tools may be used, as JSON; null switches nothing off. A thread's is merged over its workspace's. */
  toolsConfig: ToolsConfig | Malformed | null;
  /** When it was created, ISO-8601 in UTC. */
  createdAt: string;
  /** When it or its messages were last changed, ISO-8601 in UTC. */
  updatedAt: string;
}

/** The fields of a new thread; one that is left out becomes null. */
export interface CreateThread {
  /** The uuid of its workspace. */
  workspaceUuid: string;
  /** The title; null until there is one. */
  title?: string | null;
  /** What the thread is about; null where there is none. */
  description?: string | null;
  /** The id of the model configuration of its turns; null is that of the workspace. */
  defaultModelId?: string | null;
  /** Which tools may be used, as JSON; null switches nothing off. A thread's is merged over its workspace's. */
  toolsConfig?: ToolsConfig | Malformed | null;
}

/** The fields to change; one that is left out keeps its value, null clears it. */
export interface UpdateThread {
  /** The title; null until there is one. */
  title?: string | null;
  /** What the thread is about; null where there is none. */
  description?: string | null;
  /** The id of the model configuration of its turns; null is that of the workspace. */
  defaultModelId?: string | null;
  /** Which tools may be used, as JSON; null switches nothing off. A thread's is merged over its workspace's. */
  toolsConfig?: ToolsConfig | Malformed | null;
}

/** The approval policy and the skills of a thread. */
export interface ThreadPolicy {
  /** Which operations ask the user first, as JSON; null asks for all. A thread's replaces its workspace's. */
  approvalConfig: ApprovalConfig | Malformed | null;
  /** Instructions that are added to turns, as JSON; null has none. A malformed one fails the turn. */
  skillsConfig: SkillsConfig | Malformed | null;
}

/** The new policy; a field that is left out becomes null. */
export interface ReplaceThreadPolicy {
  /** Which operations ask the user first, as JSON; null asks for all. A thread's replaces its workspace's. */
  approvalConfig?: ApprovalConfig | Malformed | null;
  /** Instructions that are added to turns, as JSON; null has none. A malformed one fails the turn. */
  skillsConfig?: SkillsConfig | Malformed | null;
}

/** A message of a thread. */
export interface Message {
  /** The uuid of the message. */
  uuid: string;
  /** The uuid of its thread. */
  threadUuid: string;
  /** Who wrote it; `tool` is the record of a tool call. */
  role: "user" | "assistant" | "system" | "tool";
  /** The text; of a `tool` message a ToolRecord as JSON. */
  content: string;
  /** When it was stored, ISO-8601 in UTC. */
  createdAt: string;
}

/** The fields of a new message. */
export interface CreateMessage {
  /** The uuid of its thread. */
  threadUuid: string;
  /** Who wrote it; `tool` is the record of a tool call. */
  role: "user" | "assistant" | "system" | "tool";
  /** The text; of a `tool` message a ToolRecord as JSON. */
  content: string;
}

/** A file that came with a message. */
export interface Attachment {
  /** The name of the file. */
  name: string;
  /** Its media type, as it was sent. */
  mediaType: string;
  /** Its size in bytes. */
  size: number;
  /** The path of its bytes, from the root of the engine. */
  url: string;
}

/** What of a thread is copied. */
export interface CreateFork {
  /** The last message to copy; all messages are copied where it is left out. */
  throughMessageUuid?: string | null;
  /** The title; that of the thread where it is left out. */
  title?: string | null;
}

/** A fork of a thread: a thread that began as its copy. */
export interface Fork {
  /** The uuid of the fork. */
  threadUuid: string;
  /** The last message of the origin that was copied; null where none was. */
  throughMessageUuid: string | null;
  /** The user message of the origin that was replaced; null for a plain fork. */
  replacedMessageUuid: string | null;
  /** The message of the fork in its place; null for a plain fork. */
  replacementMessageUuid: string | null;
  /** When the fork was made, ISO-8601 in UTC. */
  createdAt: string;
}

/** Where a fork came from. */
export interface ForkOrigin {
  /** The uuid of the thread that was copied. */
  threadUuid: string;
  /** Its last message that was copied; null where none was. */
  messageUuid: string | null;
  /** The user message of the origin that was replaced; null for a plain fork. */
  replacedMessageUuid: string | null;
  /** The message of the fork in its place; null for a plain fork. */
  replacementMessageUuid: string | null;
}

/** The folders in a folder of this machine. */
export interface LocalFolders {
  /** The real path of the folder. */
  path: string;
  /** The path of the folder above; null at the top. */
  parent: string | null;
  /** The folders in it by name, at most 1,000; never hidden or protected ones. */
  folders: Array<{
    /** Its name. */
    name: string;
    /** Its absolute path. */
    path: string;
  }>;
}

/** A file that was found. */
export interface FileSearchMatch {
  /** The position of its root in `directories`, from 0. */
  rootIndex: number;
  /** The name of the file. */
  name: string;
  /** The path relative to its root, separated by `/`. */
  relativePath: string;
}

/** A file or folder. */
export interface FileEntry {
  /** Its name. */
  name: string;
  /** The path relative to its root, separated by `/`. */
  relativePath: string;
  /** Whether it is a folder. */
  isDirectory: boolean;
}

/** The text of a file. */
export interface FileContent {
  /** The text, at most 1,000,000 bytes of UTF-8. */
  content: string;
}

/** A file or folder, and its new folder; both are in the same root. */
export interface MovePath {
  /** The position of the root of the file or folder, from 0. */
  sourceRootIndex: number;
  /** The path of the file or folder, relative to its root. */
  sourcePath: string;
  /** The position of the root of the destination, from 0. */
  destinationRootIndex: number;
  /** The path of an existing folder, relative to its root; empty is the root itself. */
  destinationPath: string;
}

/** A setting; key, tag and client together are its scope. */
export interface Setting {
  /** The key; not blank. */
  key: string;
  /** The value, any text. */
  value: string;
  /** The tag; null where there is none, which is not the same as empty. */
  tag?: string | null;
  /** The client that the setting belongs to; null where it belongs to all. */
  client?: string | null;
}

/** A configured model. Credentials never leave the engine. */
export interface ModelConfiguration {
  /** The id, as `model_id` of a turn and `defaultModelId` name it. */
  id: string;
  /** The provider, one of `GET /providers`. */
  provider: string;
  /** The name of the model at its provider. */
  model: string;
  /** The name to show; null where there is none. */
  alias: string | null;
  /** The address of the provider's API; null is the provider's own. `/v1` may be left out, but not with `openai-compatible`. */
  baseUrl: string | null;
  /** The AWS region, for `bedrock`; else null. */
  region: string | null;
  /** The context window in tokens; null where it is not known. */
  contextWindow: number | null;
  /** Whether an API key is stored. */
  hasApiKey: boolean;
}

/** Why credentials cannot be used now (RFC 9457). */
export interface ProblemDetails {
  /** Always `about:blank`. */
  type: "about:blank";
  /** What is unavailable. */
  title: "Encrypted credential storage is unavailable.";
  /** Always 503. */
  status: 503;
  /** A sentence to show to the user. */
  detail: string;
}

/** The fields of a model configuration. On update, a credential that is left out is kept. */
export interface UpsertModelConfiguration {
  /** The provider, one of `GET /providers`. */
  provider: string;
  /** The name of the model at its provider. */
  model: string;
  /** The name to show; null where there is none. */
  alias?: string | null;
  /** The address of the provider's API; null is the provider's own. `/v1` may be left out, but not with `openai-compatible`. */
  baseUrl?: string | null;
  /** The AWS region, for `bedrock`; else null. */
  region?: string | null;
  /** The context window in tokens; null where it is not known. */
  contextWindow?: number | null;
  /** The API key; write-only. */
  apiKey?: string | null;
  /** The AWS access key id, for `bedrock`; write-only. */
  cloudAccessKeyId?: string | null;
  /** The AWS secret access key, for `bedrock`; write-only. */
  cloudSecretAccessKey?: string | null;
  /** The AWS session token, for `bedrock`; write-only. */
  cloudSessionToken?: string | null;
  /** Whether an update removes the stored API key; by default false. */
  clearApiKey?: boolean;
}

/** The outcome of a test of a configured model. */
export interface ModelTest {
  /** Whether the model answered. */
  ok: boolean;
  /** Milliseconds until the first token; null where none came. */
  firstTokenMs: number | null;
  /** Milliseconds until the end. */
  totalMs: number;
  /** Why it failed, as a sentence; null where it did not. */
  error: string | null;
}

/** Which headers are stored. */
export interface ModelHeaderNames {
  /** Their names, as they were given. */
  names: Array<string>;
}

/** Headers of requests to the provider. */
export interface ModelHeaders {
  /** At most 32 headers, by name; values of at most 4,096 characters of visible ASCII. Write-only. */
  headers: Record<string, string>;
}

/** The context window that turns of a model use. */
export interface ContextWindow {
  /** The context window in tokens. */
  window: number;
  /** `stated` in the configuration, said by its `server`, `known` of its family, or `assumed`. */
  source: "stated" | "server" | "known" | "assumed";
}

/** The parameters of each request to a model. */
export interface ModelParameters {
  /** The sampling temperature, from 0 to 2; null is the provider's own. */
  temperature: number | null;
  /** The nucleus sampling share, from 0 to 1; null is the provider's own. */
  topP: number | null;
  /** The most tokens of one answer; null is the provider's own. */
  maxOutputTokens: number | null;
}

/** A provider that the engine knows by name. */
export interface KnownProvider {
  /** The name, for `provider` of a model configuration. */
  provider: string;
  /** The address where the configuration names none; null where there is no such address. */
  baseUrl: string | null;
  /** The fields of a model configuration that it takes. */
  fields: Array<{
    /** The name of the field. */
    name: "apiKey" | "baseUrl" | "region" | "cloudAccessKeyId" | "cloudSecretAccessKey" | "cloudSessionToken";
    /** Whether the field is needed. */
    required: boolean;
    /** The fields of which one makes this one unnecessary. */
    unless: Array<string>;
    /** Whether the field is write-only. */
    secret: boolean;
  }>;
}

/** A model server on this machine. */
export interface DiscoveredServer {
  /** The name, for `provider` of a model configuration. */
  provider: string;
  /** The address, for `baseUrl` of a model configuration. */
  baseUrl: string;
  /** The names of its models, for `model` of a model configuration; at most 500. */
  models: Array<string>;
}

/** A model that a provider lists. */
export interface OfferedModel {
  /** Its name, for `model` of a model configuration. */
  id: string;
  /** Its context window in tokens, as listed or known; null where neither says it. */
  contextWindow: number | null;
}

/** A provider, and the key for it. */
export interface OfferedModelsRequest {
  /** The provider, one of `GET /providers`. */
  provider: string;
  /** The address of the provider's API; null is the provider's own. */
  baseUrl?: string | null;
  /** The API key; it goes to that address alone. */
  apiKey?: string | null;
}

/** A model to choose for a turn. */
export interface Model {
  /** The id to send as `model_id`. */
  id: string;
  /** The name to show. */
  name: string;
  /** The provider. */
  provider: string;
  /** What it is; null where there is none. */
  description: string | null;
}

/** The outcome of an index run. */
export interface RagWorkspaceIndex {
  /** One entry for each enabled root. */
  roots: Array<RagRootIndex>;
}

/** The outcome of an index run in one root. */
export interface RagRootIndex {
  /** The position of the root in `directories`, from 0. */
  rootIndex: number;
  /** Files that were indexed. */
  indexed: number;
  /** Files that were indexed before and did not change. */
  unchanged: number;
  /** Files that are not indexed, by type or size. */
  skipped: number;
  /** Files that could not be read. */
  errors: number;
  /** Files that were removed from the index. */
  removed: number;
}

/** The index runs that end. */
export interface RagCancelled {
  /** The number of runs; 0 where none was running. */
  cancelled: number;
}

/** A piece of a document that was found. */
export interface RagResult {
  /** The number of the piece in the index of its root. */
  chunkId: number;
  /** The number of the document in the index of its root. */
  documentId: number;
  /** The path of the document, relative to its root. */
  path: string;
  /** The same value as `path`. */
  documentPath: string;
  /** The position of the piece in its document, from 0. */
  ordinal: number;
  /** The text. For a sensitive file: a sentence that says that its content is not indexed. */
  content: string;
  /** The first line, from 1; null where the document has no lines. */
  startLine: number | null;
  /** The last line; null where the document has no lines. */
  endLine: number | null;
  /** About how many tokens the text has; null where that is not known. */
  tokenEstimate: number | null;
  /** `indexed`, or `metadata_only` for a sensitive file. */
  status: string;
  /** How well it matches; higher is better. Scores of different responses cannot be compared. */
  score: number;
  /** Always `chunk`. */
  resultType: "chunk";
  /** The position of the root in `directories`, from 0. */
  rootIndex: number;
  /** The score of the words, where they were searched. */
  keywordScore?: number;
  /** The score of the meaning, where it was searched. */
  vectorScore?: number;
  /** True where the file is withheld, else absent. */
  sensitive?: true;
  /** True where only the path is shown, else absent. */
  metadataOnly?: true;
}

/** A search. */
export interface RagSearch {
  /** What to search for; not empty, and cut at 8,000 characters. */
  query: string;
  /** How to search: by words, by meaning, or by both; by default `hybrid`. */
  mode?: "keyword" | "vector" | "hybrid";
  /** The number of results at most: 1 to 50, by default 8. */
  limit?: number;
  /** Whether roots that cannot be used are left out instead of failing the search; by default false. */
  skipUnavailableRoots?: boolean;
}

/** A file or folder that could not be read. */
export interface RagFailure {
  /** The path, relative to the root; that of a folder ends in `/`. */
  path: string;
  /** Why it could not be read, as a sentence. */
  reason: string;
}

/** The state of the indexes of a workspace. */
export interface RagStatus {
  /** One entry for each root, in the order of `directories`. */
  roots: Array<RagRootStatus>;
}

/** The state of the index of one root. */
export interface RagRootStatus {
  /** The position of the root in `directories`, from 0. */
  rootIndex: number;
  /** Whether `ragConfig` leaves the root enabled. */
  enabled: boolean;
  /** Whether a search uses the index. */
  searchable: boolean;
  /** Why the root cannot be used, as a sentence; null where it can. */
  problem: string | null;
  /** How many documents the index has. */
  documents: number;
  /** How many pieces the index has. */
  chunks: number;
  /** The current index run; null where there is none. */
  running: {
    /** The step of the run. */
    phase: "waiting" | "reading" | "embedding";
    /** How many files or pieces are done. */
    done: number;
    /** How many there are; null until that is known. */
    total: number | null;
  } | null;
  /** How many files and folders could not be read; `rag/failures` lists them. */
  failedFiles: number;
  /** Whether the index follows the files of the root as they change. */
  watching: boolean;
  /** Why it does not follow them at once, although `ragConfig` says `watch`: a root that cannot be watched is walked every 5 minutes; else null. */
  watchProblem: string | null;
  /** When the last complete index run ended; null before the first one. */
  lastIndexedAt: string | null;
  /** The share of the index run that is on; null where none is. */
  progress: {
    /** What the run does now; `counting` comes first and is quick. */
    phase: "waiting" | "counting" | "reading" | "embedding";
    /** How many files are done. */
    filesDone: number;
    /** How many files the root has; null until they are counted. */
    filesTotal: number | null;
  } | null;
}

/** All tools. */
export interface ToolCatalog {
  /** The built-in tools, by group. */
  builtin: Record<string, Array<BuiltinTool>>;
  /** The configured tools, sorted by alias or name. */
  configured: Array<ToolConfiguration>;
}

/** A tool that the engine runs itself. */
export interface BuiltinTool {
  /** The name, as the model calls it. */
  name: string;
  /** What it does, as the model reads it. */
  doc: string;
  /** What it does to data. The approval policy refers to it. */
  operation: "create" | "read" | "update" | "delete";
}

/** A configured tool: a record that chat does not run. An `mcp` tool is the exception: a workspace can switch its server on. */
export interface ToolConfiguration {
  /** The number of the tool in the database. */
  id: number;
  /** The uuid of the tool. */
  uuid: string;
  /** The name. */
  name: string;
  /** The name to show; null where there is none. */
  alias: string | null;
  /** What the tool does; null where there is none. */
  description: string | null;
  /** What kind of tool it is. */
  toolType: "script" | "api" | "mcp";
  /** The path of the script, of a `script`; else null. */
  scriptPath: string | null;
  /** The language of the script, of a `script`; else null. */
  scriptLanguage: string | null;
  /** The address, of an `api` or `mcp` tool; else null. */
  endpointUrl: string | null;
  /** How requests are authorized; null where they are not. */
  authType: string | null;
  /** Whether an auth configuration is stored. */
  hasAuthConfig: boolean;
  /** The state that the client keeps. Chat uses an `mcp` tool only while this is `active`. */
  status: string;
  /** When it was created, ISO-8601 in UTC. */
  createdAt: string;
  /** When it was last changed, ISO-8601 in UTC. */
  updatedAt: string;
}

/** The fields of a configured tool. */
export interface UpsertToolConfiguration {
  /** The name. */
  name?: string | null;
  /** The name to show; null where there is none. */
  alias?: string | null;
  /** What the tool does; null where there is none. */
  description?: string | null;
  /** What kind of tool it is. */
  toolType?: "script" | "api" | "mcp" | null;
  /** The path of the script, of a `script`; else null. */
  scriptPath?: string | null;
  /** The language of the script, of a `script`; else null. */
  scriptLanguage?: string | null;
  /** The address, of an `api` or `mcp` tool; else null. */
  endpointUrl?: string | null;
  /** How requests are authorized; null where they are not. */
  authType?: "api_key" | null;
  /** The headers of requests to the tool, as JSON of at most 64 KiB; write-only. */
  authConfigJson?: AuthConfig | Malformed | null;
  /** The state that the client keeps. Chat uses an `mcp` tool only while this is `active`. */
  status?: string | null;
  /** Whether an update removes the stored auth configuration; by default false. */
  clearAuthConfig?: boolean;
}

/** A configured MCP server as a workspace sees it. */
export interface McpServerTools {
  /** The uuid of the configured tool. */
  toolUuid: string;
  /** Its alias, or its name. */
  name: string;
  /** Whether the server answered now (`ready`), is switched off, or failed. */
  state: "ready" | "off" | "failed";
  /** What is wrong, in a sentence; null where nothing is. */
  problem: string | null;
  /** The tools of the server; none where it is not `ready`. */
  tools: Array<WorkspaceMcpTool>;
}

/** A tool of an MCP server in a workspace. */
export type WorkspaceMcpTool = McpTool & {
  /** Whether the workspace offers it to models. */
  enabled: boolean;
};

/** A tool of an MCP server. */
export interface McpTool {
  /** The name, as the model calls it. */
  name: string;
  /** The server's own name of the tool, as `toolsConfig` uses it. */
  serverName: string;
  /** What it does, in the words of the server. */
  description: string;
}

/** The result of a test of an MCP server. */
export interface McpTest {
  /** Whether the server answered with its tools. */
  ok: boolean;
  /** The name that the server gives itself; null where it did not answer. */
  serverName: string | null;
  /** The version that the server gives itself; null where it did not answer. */
  serverVersion: string | null;
  /** The tools of the server. */
  tools: Array<McpTool>;
  /** What is wrong, in a sentence; null where nothing is. */
  error: string | null;
}

/** A message that was found. */
export interface MessageHit {
  /** The uuid of the message. */
  messageUuid: string;
  /** The uuid of its thread. */
  threadUuid: string;
  /** The uuid of its workspace. */
  workspaceUuid: string;
  /** The title of its thread; null where it has none. */
  threadTitle: string | null;
  /** Who wrote it. */
  role: "user" | "assistant" | "system";
  /** When it was stored, ISO-8601 in UTC. */
  createdAt: string;
  /** An excerpt around a word that was found, at most 300 characters. */
  snippet: string;
  /** How well it matches; higher is better. */
  score: number;
}

/** A search, and where it looks. */
export interface MessageSearch {
  /** The words to find. The first 8,000 characters count. */
  query: string;
  /** Only messages of this workspace. */
  workspaceUuid?: string | null;
  /** Only messages of this thread. */
  threadUuid?: string | null;
  /** The number of messages at most: 1 to 50, by default 20. */
  limit?: number;
}

/** A turn: a user message, the answer, and the outcome. */
export interface Turn {
  /** The uuid of the turn. */
  uuid: string;
  /** The uuid of its thread. */
  threadUuid: string;
  /** The uuid of its workspace. */
  workspaceUuid: string;
  /** The interface that began it. */
  source: "http" | "websocket";
  /** The state; in `waiting`, an approval is pending. */
  state: "running" | "completed" | "cancelled" | "failed" | "interrupted" | "waiting";
  /** Why it failed, as a sentence; else null. */
  error: string | null;
  /** The streamed text of a turn that ended without an answer, at most 1 MiB; else null. */
  partialText: string | null;
  /** The uuid of the user's message. */
  userMessageUuid: string;
  /** The uuid of the answer; null where there is none. */
  assistantMessageUuid: string | null;
  /** The id of a model configuration, or `echo`. */
  model: string;
  /** Tokens of the prompts, summed over steps; null where the provider reported none. */
  inputTokens: number | null;
  /** Tokens of the answers, summed over steps; null where the provider reported none. */
  outputTokens: number | null;
  /** Those of the prompts that came from the provider's cache; null where it reported none. */
  cachedInputTokens: number | null;
  /** The groups of tools that were not offered, as the context window is small. */
  omittedToolGroups: Array<string>;
  /** The uuids of the remembered approvals by which calls ran without asking. */
  grantUuids: Array<string>;
  /** When it began, ISO-8601 in UTC. */
  startedAt: string;
  /** When it ended, ISO-8601 in UTC; null while it runs. */
  endedAt: string | null;
}

/** The user message of a turn, or the message that it replaces. */
export interface StartThreadTurn {
  /** The text of the user message; that of the replaced one where it is left out. */
  content?: string | null;
  /** The model of the turn; null is the default of the thread or workspace. */
  modelId?: string | null;
  /** Only a literal false disables the built-in tools. */
  toolsEnabled?: boolean;
  /** The files that the message is about; null where there are none. */
  fileContext?: {
    /** The file that the client shows; null where it shows none. */
    activeFile?: {
      /** The position of its root in `directories`, from 0. */
      rootIndex: number;
      /** Its path in the root, separated by `/`. */
      path: string;
      /** What the client shows for it. */
      label?: string;
    } | null;
    /** The files that the message names. */
    taggedFiles?: Array<{
      /** The position of its root in `directories`, from 0. */
      rootIndex: number;
      /** Its path in the root, separated by `/`. */
      path: string;
      /** What the client shows for it. */
      label?: string;
    }> | null;
    /** Files that come with the message. */
    attachments?: Array<{
      /** The name of the file, without a path. */
      name: string;
      /** Its media type; else it follows from the name. */
      mediaType?: string;
      /** Its bytes. */
      data: string;
    }> | null;
  } | null;
  /** How long the model may think; null is its own default. Some providers refuse it. */
  reasoningEffort?: "off" | "low" | "medium" | "high" | null;
  /** A user message of the thread: the turn runs in a fork of what is before it, with the new message in its place. */
  replaces?: string | null;
}

/** The user message of a turn, with the field names of `chat.send`. */
export interface StartTurn {
  /** The text of the user message. */
  content: string;
  /** The model of the turn; null is the default of the thread or workspace. */
  modelId?: string | null;
  /** Only a literal false disables the built-in tools. */
  toolsEnabled?: boolean;
  /** The files that the message is about; null where there are none. */
  fileContext?: {
    /** The file that the client shows; null where it shows none. */
    activeFile?: {
      /** The position of its root in `directories`, from 0. */
      rootIndex: number;
      /** Its path in the root, separated by `/`. */
      path: string;
      /** What the client shows for it. */
      label?: string;
    } | null;
    /** The files that the message names. */
    taggedFiles?: Array<{
      /** The position of its root in `directories`, from 0. */
      rootIndex: number;
      /** Its path in the root, separated by `/`. */
      path: string;
      /** What the client shows for it. */
      label?: string;
    }> | null;
    /** Files that come with the message. */
    attachments?: Array<{
      /** The name of the file, without a path. */
      name: string;
      /** Its media type; else it follows from the name. */
      mediaType?: string;
      /** Its bytes. */
      data: string;
    }> | null;
  } | null;
  /** How long the model may think; null is its own default. Some providers refuse it. */
  reasoningEffort?: "off" | "low" | "medium" | "high" | null;
}

/** A turn, and its details where they are asked for. */
export interface DetailedTurn {
  /** The uuid of the turn. */
  uuid: string;
  /** The uuid of its thread. */
  threadUuid: string;
  /** The uuid of its workspace. */
  workspaceUuid: string;
  /** The interface that began it. */
  source: "http" | "websocket";
  /** The state; in `waiting`, an approval is pending. */
  state: "running" | "completed" | "cancelled" | "failed" | "interrupted" | "waiting";
  /** Why it failed, as a sentence; else null. */
  error: string | null;
  /** The streamed text of a turn that ended without an answer, at most 1 MiB; else null. */
  partialText: string | null;
  /** The uuid of the user's message. */
  userMessageUuid: string;
  /** The uuid of the answer; null where there is none. */
  assistantMessageUuid: string | null;
  /** The id of a model configuration, or `echo`. */
  model: string;
  /** Tokens of the prompts, summed over steps; null where the provider reported none. */
  inputTokens: number | null;
  /** Tokens of the answers, summed over steps; null where the provider reported none. */
  outputTokens: number | null;
  /** Those of the prompts that came from the provider's cache; null where it reported none. */
  cachedInputTokens: number | null;
  /** The groups of tools that were not offered, as the context window is small. */
  omittedToolGroups: Array<string>;
  /** The uuids of the remembered approvals by which calls ran without asking. */
  grantUuids: Array<string>;
  /** When it began, ISO-8601 in UTC. */
  startedAt: string;
  /** When it ended, ISO-8601 in UTC; null while it runs. */
  endedAt: string | null;
  /** Its details, where `details=true` asks for them. */
  details?: {
    /** What it sent; null before its first request. */
    context: {
      /** The context window in tokens. */
      window: number;
      /** `stated` in the configuration, said by its `server`, `known` of its family, or `assumed`. */
      source: "stated" | "server" | "known" | "assumed";
      /** The tokens of the last request, as the engine estimates them. */
      inputTokens: number;
      /** The parts of the last request. */
      parts: Array<{
        /** What it is. */
        kind: "instructions" | "tools" | "summary" | "question" | "results" | "history";
        /** Its tokens, as the engine estimates them. */
        tokens: number;
      }>;
      /** What had no room in any request of the turn; at most 100 entries. */
      dropped: Array<{
        /** The part to which it belongs. */
        kind: "instructions" | "tools" | "summary" | "question" | "results" | "history";
        /** What was cut or left out. */
        what: string;
      }>;
      /** Sentences that a client shows below the answer. */
      notices: Array<string>;
    } | null;
    /** The passages in what it sent; null before its first request. */
    sources: Array<TurnSource> | null;
    /** What the model thought; null where nothing is kept. */
    reasoning: {
      /** The first 64 KiB of it; empty if there was none. */
      text: string;
    } | null;
  };
}

/** A passage of a file that a turn sent to its model. */
export interface TurnSource {
  /** The folder of the workspace, from 0; null for a file outside of them. */
  rootIndex: number | null;
  /** Relative to the folder; absolute where there is none. */
  path: string;
  /** The first line, from 1; null where it is not known. */
  startLine: number | null;
  /** The last line; null where it is not known. */
  endLine: number | null;
  /** Whether a search found it, or a tool read it. */
  from: "search" | "read";
  /** Whether the file was withheld: then the model got its path alone. */
  sensitive: boolean;
}

/** What a turn sent to its model, and what had no room. */
export interface SentContext {
  /** The context window in tokens. */
  window: number;
  /** `stated` in the configuration, said by its `server`, `known` of its family, or `assumed`. */
  source: "stated" | "server" | "known" | "assumed";
  /** The tokens of the last request, as the engine estimates them. */
  inputTokens: number;
  /** The parts of the last request. */
  parts: Array<{
    /** What it is. */
    kind: "instructions" | "tools" | "summary" | "question" | "results" | "history";
    /** Its tokens, as the engine estimates them. */
    tokens: number;
  }>;
  /** What had no room in any request of the turn; at most 100 entries. */
  dropped: Array<{
    /** The part to which it belongs. */
    kind: "instructions" | "tools" | "summary" | "question" | "results" | "history";
    /** What was cut or left out. */
    what: string;
  }>;
  /** Sentences that a client shows below the answer. */
  notices: Array<string>;
}

/** What the model of a turn thought. */
export interface TurnReasoning {
  /** The first 64 KiB of it; empty if there was none. */
  text: string;
}

/** The summary of the oldest messages of a thread. */
export interface ThreadSummary {
  /** The summary. */
  text: string;
  /** The uuid of the last message that it covers. */
  throughMessageUuid: string;
  /** Its tokens, as the engine estimates them. */
  tokens: number;
  /** When it was made, ISO-8601 in UTC. */
  createdAt: string;
}

/** The question whether a tool call may run. */
export interface Approval {
  /** The uuid of the approval. */
  uuid: string;
  /** The uuid of its turn. */
  turnUuid: string;
  /** The uuid of the thread of the turn. */
  threadUuid: string;
  /** The name of the tool. */
  toolName: string;
  /** The MCP server that has the tool, as it is configured; null for other tools. */
  serverName: string | null;
  /** What the tool does to data. */
  operation: "create" | "read" | "update" | "delete";
  /** The arguments of the call; in a list, long ones are cut. */
  arguments: Record<string, unknown>;
  /** Whether these are only a part of the arguments. */
  argumentsTruncated: boolean;
  /** When it was requested, ISO-8601 in UTC. */
  requestedAt: string;
  /** The client key whose turn asks; null for turns of the user. */
  clientKey: {
    /** The uuid of the key. */
    uuid: string;
    /** The program that has the key. */
    name: string;
  } | null;
  /** The state; `expired` where the turn ended first. */
  state: "waiting" | "approved" | "denied" | "expired";
}

/** The decision on a tool call. */
export interface DecideApproval {
  /** Only `approve`, in any case, approves; everything else denies. */
  decision?: string;
  /** Which further calls need no approval; null is this call alone. Only an approval is remembered. */
  remember?: {
    /** Where it holds: in one thread, or in all threads of the workspace. */
    scope: "thread" | "workspace";
    /** Which calls it covers: all of the tool, or those whose paths lie below one folder. */
    match: "tool" | "path";
  } | null;
}

/** An approval that is remembered: calls that it covers run without asking. */
export interface ApprovalGrant {
  /** The uuid of the grant. */
  uuid: string;
  /** Where it holds: in one thread, or in all threads of the workspace. */
  scope: "thread" | "workspace";
  /** The uuid of its workspace. */
  workspaceUuid: string;
  /** The uuid of its thread; null if it holds in the workspace. */
  threadUuid: string | null;
  /** The name of the tool. */
  toolName: string;
  /** The uuid of the configured tool that is its MCP server; null for other tools. */
  server: string | null;
  /** Which calls it covers: all of the tool, or those whose paths lie below one folder. */
  match: "tool" | "path";
  /** The real path of the folder; null if the grant covers all calls of the tool. */
  pathPrefix: string | null;
  /** When it was made, ISO-8601 in UTC. */
  createdAt: string;
  /** When it ends, ISO-8601 in UTC; null if it ends with its thread. */
  expiresAt: string | null;
  /** When it last covered a call, ISO-8601 in UTC; null before the first one. */
  lastUsedAt: string | null;
}

/** The turns and tokens of some days. */
export interface Usage {
  /** One entry for each group. */
  groups: Array<UsageGroup>;
  /** The sum over all turns. */
  total: UsageTotal;
}

/** The turns and tokens of one day, model, workspace or thread. */
export interface UsageGroup {
  /** The day, the model, or the uuid of the workspace or thread. */
  key: string;
  /** How many turns began. */
  turns: number;
  /** Turns whose provider reported no tokens */
  turnsWithoutUsage: number;
  /** Tokens of the prompts; null where no provider reported any. */
  inputTokens: number | null;
  /** Tokens of the answers; null where no provider reported any. */
  outputTokens: number | null;
  /** Those of the prompts that came from a cache; null where no provider reported any. */
  cachedInputTokens: number | null;
}

/** The turns and tokens of all days. */
export interface UsageTotal {
  /** How many turns began. */
  turns: number;
  /** Turns whose provider reported no tokens */
  turnsWithoutUsage: number;
  /** Tokens of the prompts; null where no provider reported any. */
  inputTokens: number | null;
  /** Tokens of the answers; null where no provider reported any. */
  outputTokens: number | null;
  /** Those of the prompts that came from a cache; null where no provider reported any. */
  cachedInputTokens: number | null;
}

/** A key of another program for the OpenAI-compatible interface. */
export interface ClientKey {
  /** The uuid of the key; it is not secret. */
  uuid: string;
  /** The program that has the key. */
  name: string;
  /** What the key may use. */
  scopes: Array<"models" | "workspaces" | "embeddings">;
  /** The workspaces that the key reaches; null: all. */
  workspaceUuids: Array<string> | null;
  /** When it was made, ISO-8601 in UTC. */
  createdAt: string;
  /** When it ends, ISO-8601 in UTC. */
  expiresAt: string;
  /** When it was used last, to the minute; null if never. */
  lastUsedAt: string | null;
}

/** A client key that was just made. */
export type NewClientKey = ClientKey & {
  /** The key itself. No other response has it: only a hash is stored. */
  key: string;
};

/** The client key to make. */
export interface CreateClientKey {
  /** The program that has the key; not blank. */
  name: string;
  /** What the key may use: bare models, workspaces as models, the embedder. */
  scopes: Array<"models" | "workspaces" | "embeddings">;
  /** The workspaces that the key reaches; all if it is null or left out. */
  workspaceUuids?: Array<string> | null;
  /** When it ends, ISO-8601; in 90 days if it is null or left out. */
  expiresAt?: string | null;
}

/** What the engine does now. */
export interface EngineStatus {
  /** The version of the engine. */
  version: string;
  /** The start of this process, ISO 8601. */
  startedAt: string;
  /** Whole seconds since the start. */
  uptimeSeconds: number;
  /** Open connections of clients. */
  clients: {
    /** WebSockets. */
    sockets: number;
    /** Readers of `/stream` and `/changes`. */
    eventStreams: number;
  };
  /** The memory of the process. */
  memory: {
    /** What the system gave it, threads included. */
    residentBytes: number;
    /** What the main thread uses of its JavaScript heap. */
    heapBytes: number;
  };
  /** Requests since the start, refused ones included. */
  requests: number;
  /** The checks, unless they were not asked for. */
  findings: Array<Finding> | null;
}

/** The result of one check. */
export interface Finding {
  /** What was looked at. */
  check: string;
  /** `failure` where the engine does not work or loses data. */
  state: "ok" | "warning" | "failure";
  /** What was found, as a sentence. */
  detail: string;
  /** What to do, as a sentence; null where nothing is to do. */
  cure: string | null;
}

/** A link that opens the console. */
export interface ConsoleLink {
  /** The address for the browser; its fragment is the secret. */
  url: string;
  /** The end of the link, ISO 8601. */
  expiresAt: string;
}

/** An event of the stream; `type` says which. */
export type StreamEvent = ThreadCreatedEvent | ThreadUpdatedEvent | MessageCreatedEvent | GraphExecutionEvent;

/** A thread was created. */
export interface ThreadCreatedEvent {
  /** The type of the event. */
  type: "thread.created";
  /** When it was published, ISO-8601 in UTC. */
  timestamp: string;
  /** The thread. */
  data: {
    /** The uuid of the thread. */
    threadId: string;
    /** The uuid of its workspace. */
    workspaceId: string;
    /** The title; null where there is none. */
    title: string | null;
  };
}

/** The title or the description of a thread changed. */
export interface ThreadUpdatedEvent {
  /** The type of the event. */
  type: "thread.updated";
  /** When it was published, ISO-8601 in UTC. */
  timestamp: string;
  /** The thread. */
  data: {
    /** The uuid of the thread. */
    threadId: string;
    /** The title; null where there is none. */
    title: string | null;
    /** The description; null where there is none. */
    description: string | null;
  };
}

/** A message was stored. */
export interface MessageCreatedEvent {
  /** The type of the event. */
  type: "message.created";
  /** When it was published, ISO-8601 in UTC. */
  timestamp: string;
  /** The message. */
  data: {
    /** The uuid of the message. */
    messageId: string;
    /** The uuid of its thread. */
    threadId: string;
    /** Who wrote it. */
    role: "user" | "assistant" | "system" | "tool";
    /** The text. */
    content: string;
  };
}

/** An event of the graph, in a turn of a WebSocket client. */
export interface GraphExecutionEvent {
  /** The type of the event. */
  type: "graph.execution";
  /** When it was published, ISO-8601 in UTC. */
  timestamp: string;
  /** The graph event. */
  data: GraphActivity;
}

/** What happens in the graph of a turn; `type` says which. */
export type GraphActivity = RunStartedActivity | NodeStartedActivity | ModelDeltaActivity | NodeCompletedActivity | RunCompletedActivity | RunAbortedActivity | RunFailedActivity;

/** The turn began. */
export interface RunStartedActivity {
  /** The uuid of the thread. */
  threadUuid: string;
  /** What happens in the graph. */
  type: "run.started";
  /** The id of the run; one turn is one run. */
  runId: string;
  /** The name of the graph. */
  graphId: string;
}

/** A node of the graph began. */
export interface NodeStartedActivity {
  /** The uuid of the thread. */
  threadUuid: string;
  /** What happens in the graph. */
  type: "node.started";
  /** The name of the node: `model` or `tools`. */
  nodeId: string;
}

/** The next piece of the text. */
export interface ModelDeltaActivity {
  /** The uuid of the thread. */
  threadUuid: string;
  /** What happens in the graph. */
  type: "model.delta";
  /** The name of the node: `model` or `tools`. */
  nodeId: string;
  /** The next piece of the text. */
  delta: string;
}

/** A node of the graph ended. */
export interface NodeCompletedActivity {
  /** The uuid of the thread. */
  threadUuid: string;
  /** What happens in the graph. */
  type: "node.completed";
  /** The name of the node: `model` or `tools`. */
  nodeId: string;
}

/** The model has answered; the answer is stored next. */
export interface RunCompletedActivity {
  /** The uuid of the thread. */
  threadUuid: string;
  /** What happens in the graph. */
  type: "run.completed";
  /** The id of the run; one turn is one run. */
  runId: string;
}

/** The turn was cancelled. */
export interface RunAbortedActivity {
  /** The uuid of the thread. */
  threadUuid: string;
  /** What happens in the graph. */
  type: "run.aborted";
  /** The id of the run; one turn is one run. */
  runId: string;
}

/** The turn failed. */
export interface RunFailedActivity {
  /** The uuid of the thread. */
  threadUuid: string;
  /** What happens in the graph. */
  type: "run.failed";
  /** The id of the run; one turn is one run. */
  runId: string;
  /** Why the run failed, as a sentence. */
  error: string;
}

/** A change; `event` says which. */
export type ChangeEvent = WorkspaceCreatedChange | WorkspaceUpdatedChange | WorkspaceDeletedChange | ThreadCreatedChange | ThreadUpdatedChange | ThreadDeletedChange | MessageCreatedChange | SettingsUpdatedChange | ModelCreatedChange | ModelUpdatedChange | ModelDeletedChange | ToolCreatedChange | ToolUpdatedChange | ToolDeletedChange | TurnUpdatedChange | ApprovalRequestedChange | ApprovalSettledChange | ClientKeyCreatedChange | ClientKeyDeletedChange | GrantCreatedChange | GrantDeletedChange | RagProgressChange | RagCompletedChange | ResyncChange;

/** A workspace was created. */
export interface WorkspaceCreatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "workspace.created";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the workspace. */
    workspaceUuid: string;
  };
}

/** Fields of a workspace changed. */
export interface WorkspaceUpdatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "workspace.updated";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the workspace. */
    workspaceUuid: string;
    /** The names of the fields, as the API spells them. */
    changed: Array<string>;
  };
}

/** A workspace was deleted, with its threads and records. */
export interface WorkspaceDeletedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "workspace.deleted";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the workspace. */
    workspaceUuid: string;
  };
}

/** A thread was created. */
export interface ThreadCreatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "thread.created";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the thread. */
    threadUuid: string;
    /** The uuid of the workspace. */
    workspaceUuid: string;
  };
}

/** Fields of a thread changed. */
export interface ThreadUpdatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "thread.updated";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the thread. */
    threadUuid: string;
    /** The uuid of the workspace. */
    workspaceUuid: string;
    /** The names of the fields, as the API spells them. */
    changed: Array<string>;
  };
}

/** A thread was deleted, with its messages. */
export interface ThreadDeletedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "thread.deleted";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the thread. */
    threadUuid: string;
    /** The uuid of the workspace. */
    workspaceUuid: string;
  };
}

/** A message was stored. */
export interface MessageCreatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "message.created";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the message. */
    messageUuid: string;
    /** The uuid of the thread. */
    threadUuid: string;
    /** Who wrote it. */
    role: "user" | "assistant" | "system" | "tool";
  };
}

/** Settings were stored. */
export interface SettingsUpdatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "settings.updated";
  /** What changed, by id and name; never its content. */
  data: {
    /** The keys; null where they are too many or too long to name. */
    keys: Array<string> | null;
  };
}

/** A model configuration was created. */
export interface ModelCreatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "model.created";
  /** What changed, by id and name; never its content. */
  data: {
    /** The id of the model configuration. */
    modelId: string;
  };
}

/** Fields of a model configuration changed. */
export interface ModelUpdatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "model.updated";
  /** What changed, by id and name; never its content. */
  data: {
    /** The id of the model configuration. */
    modelId: string;
    /** The names of the fields, as the API spells them. */
    changed: Array<string>;
  };
}

/** A model configuration was deleted. */
export interface ModelDeletedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "model.deleted";
  /** What changed, by id and name; never its content. */
  data: {
    /** The id of the model configuration. */
    modelId: string;
  };
}

/** A configured tool was created. */
export interface ToolCreatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "tool.created";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the configured tool. */
    toolUuid: string;
  };
}

/** Fields of a configured tool changed. */
export interface ToolUpdatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "tool.updated";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the configured tool. */
    toolUuid: string;
    /** The names of the fields, as the API spells them. */
    changed: Array<string>;
  };
}

/** A configured tool was deleted. */
export interface ToolDeletedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "tool.deleted";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the configured tool. */
    toolUuid: string;
  };
}

/** The state of a turn changed. */
export interface TurnUpdatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "turn.updated";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the turn. */
    turnUuid: string;
    /** The uuid of the thread. */
    threadUuid: string;
    /** The uuid of the workspace. */
    workspaceUuid: string;
    /** The new state. */
    state: string;
  };
}

/** An approval of a tool call is requested. */
export interface ApprovalRequestedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "approval.requested";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the approval. */
    approvalUuid: string;
    /** The uuid of the turn. */
    turnUuid: string;
    /** The uuid of the thread. */
    threadUuid: string;
  };
}

/** An approval of a tool call is settled. */
export interface ApprovalSettledChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "approval.settled";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the approval. */
    approvalUuid: string;
    /** The uuid of the turn. */
    turnUuid: string;
    /** The uuid of the thread. */
    threadUuid: string;
    /** The new state. */
    state: string;
  };
}

/** A client key was made. */
export interface ClientKeyCreatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "clientKey.created";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the client key. */
    keyUuid: string;
  };
}

/** A client key was revoked. */
export interface ClientKeyDeletedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "clientKey.deleted";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the client key. */
    keyUuid: string;
  };
}

/** An approval is remembered from now on. */
export interface GrantCreatedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "grant.created";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the grant. */
    grantUuid: string;
  };
}

/** An approval is no longer remembered. */
export interface GrantDeletedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "grant.deleted";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the grant. */
    grantUuid: string;
  };
}

/** The progress of an index run of a root. */
export interface RagProgressChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "rag.progress";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the workspace. */
    workspaceUuid: string;
    /** The position of the root in `directories`, from 0. */
    rootIndex: number;
    /** The step of the run. */
    phase: string;
    /** How many files or pieces are done. */
    done: number;
    /** How many there are; null until that is known. */
    total: number | null;
    /** How many files of the root are done. */
    filesDone: number;
    /** How many files the root has; null until they are counted. */
    filesTotal: number | null;
  };
}

/** An index run of a root ended. */
export interface RagCompletedChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "rag.completed";
  /** What changed, by id and name; never its content. */
  data: {
    /** The uuid of the workspace. */
    workspaceUuid: string;
    /** The position of the root in `directories`, from 0. */
    rootIndex: number;
    /** The new state. */
    state: "completed" | "failed" | "cancelled";
  };
}

/** Changes after the given id are lost: the client must reload its data. Its `data:` is empty. */
export interface ResyncChange {
  /** The id after which a client resumes. */
  id: string;
  /** The type of the change. */
  event: "resync";
  /** What changed, by id and name; never its content. */
  data: string;
}

/** An event of a turn; `event` says which. */
export type TurnEvent = RunStartedTurnEvent | NodeStartedTurnEvent | ModelDeltaTurnEvent | NodeCompletedTurnEvent | RunCompletedTurnEvent | RunAbortedTurnEvent | RunFailedTurnEvent | SnapshotTurnEvent | ReasoningTurnEvent | ToolTurnEvent | ApprovalTurnEvent | RetryTurnEvent | EndTurnEvent;

/** The turn began. */
export interface RunStartedTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "run.started";
  /** The graph event. */
  data: RunStartedActivity;
}

/** A node of the graph began. */
export interface NodeStartedTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "node.started";
  /** The graph event. */
  data: NodeStartedActivity;
}

/** The next piece of the text. */
export interface ModelDeltaTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "model.delta";
  /** The graph event. */
  data: ModelDeltaActivity;
}

/** A node of the graph ended. */
export interface NodeCompletedTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "node.completed";
  /** The graph event. */
  data: NodeCompletedActivity;
}

/** The model has answered; the answer is stored next. */
export interface RunCompletedTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "run.completed";
  /** The graph event. */
  data: RunCompletedActivity;
}

/** The turn was cancelled or interrupted. */
export interface RunAbortedTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "run.aborted";
  /** The graph event. */
  data: RunAbortedActivity;
}

/** The turn failed. */
export interface RunFailedTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "run.failed";
  /** The graph event. */
  data: RunFailedActivity;
}

/** The text and state so far. It comes first where earlier events are lost. */
export interface SnapshotTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "snapshot";
  /** The text and the state. */
  data: {
    /** The whole text so far; it replaces the text that the client has. */
    text: string;
    /** The state of the turn. */
    state: "running" | "completed" | "cancelled" | "failed" | "interrupted" | "waiting";
  };
}

/** The model thinks. This is no part of the answer. */
export interface ReasoningTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "reasoning";
  /** A piece of what it thinks. */
  data: {
    /** The next piece of it. */
    delta: string;
  };
}

/** The state of a tool call changed. */
export interface ToolTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "tool";
  /** The tool call. */
  data: {
    /** The id of the call, as the tool message has it in `tool_call_id`. */
    toolCallId: string;
    /** The name of the tool. */
    toolName: string;
    /** What the tool does to data. */
    operation: "create" | "read" | "update" | "delete";
    /** The state of the call; the last one is the status of the tool message. */
    state: "waiting" | "running" | "completed" | "failed" | "denied";
    /** How long it took, in milliseconds; null before its end. */
    durationMs: number | null;
    /** How far a long call is, where its tool tells. */
    progress?: {
      /** What is done, in a unit of the tool. */
      done: number;
      /** All that there is to do, in the same unit; null where the tool does not tell. */
      total: number | null;
      /** What the tool does now; null where it does not tell. */
      message: string | null;
    };
  };
}

/** An approval of a tool call is requested or settled. */
export interface ApprovalTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "approval";
  /** The approval; `state` says which. */
  data: Approval;
}

/** The provider failed; the request is sent again. */
export interface RetryTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "retry";
  /** The retry. */
  data: {
    /** The number of the retry, from 1. */
    attempt: number;
    /** The wait before it, in milliseconds. */
    afterMs: number;
    /** Why the last attempt failed, as a sentence. */
    reason: string;
  };
}

/** The turn has ended. It is the last event. */
export interface EndTurnEvent {
  /** The id after which a client resumes; a snapshot has that of the last event that it covers. */
  id: string;
  /** The type of the event. */
  event: "end";
  /** The record of the turn. */
  data: Turn;
}

/** The roots of a workspace. */
export type Directories = Array<string>;

/** Which tools may be used. Only a literal false switches off. */
export interface ToolsConfig {
  /** Whether built-in tools may be used; by default true. */
  builtin_enabled?: boolean;
  /** The groups of built-in tools, by name (`GET /tools/catalog`). */
  builtin?: Record<string, {
    /** Whether the group may be used; by default true. */
    enabled?: boolean;
    /** Whether each tool of the group may be used, by name; by default true. */
    tools?: Record<string, boolean>;
  }>;
  /** The configured MCP servers, by the uuid of their tool (`GET /tool-registry`). */
  mcp?: Record<string, {
    /** Whether turns connect the server; by default false. */
    enabled?: boolean;
    /** Whether each tool of the server may be used, by the server's own name; by default true. */
    tools?: Record<string, boolean>;
  }>;
}

/** Which operations of tools ask the user first; one that is left out does. */
export interface ApprovalConfig {
  /** Whether a tool that creates asks first; only a literal false does not. */
  create?: boolean;
  /** Whether a tool that reads asks first; only a literal false does not. */
  read?: boolean;
  /** Whether a tool that changes asks first; only a literal false does not. */
  update?: boolean;
  /** Whether a tool that deletes asks first; only a literal false does not. */
  delete?: boolean;
}

/** How the roots are searched. */
export interface RagConfig {
  /** Roots with choices of their own; others are enabled. */
  roots?: Array<{
    /** The root, as `directories` has it. */
    path: string;
    /** Whether the root is indexed and searched; by default true. */
    enabled?: boolean;
    /** Whether its index follows its files by itself; by default false. */
    watch?: boolean;
  }>;
}

/** Instructions that are added to turns. */
export interface SkillsConfig {
  /** The skills; a thread's replaces the workspace's of the same name. */
  skills?: Array<{
    /** The name. */
    name: string;
    /** What the model reads. */
    instructions: string;
    /** Whether it is added; by default true. */
    enabled?: boolean;
  }>;
}

/** Headers of requests, by name; values are neither blank nor have line breaks. */
export type AuthConfig = Record<string, string>;

/** The operations of the tag `system`. */
export interface SystemNamespace {
  /** Get the health of the engine. */
  getHealth(options?: CallOptions): Promise<Health>;
  /** Get this document. */
  getDocument(options?: CallOptions): Promise<OpenApiDocument>;
  /** Call the placeholder of AG-UI, which always responds the same. */
  runAgui(options?: CallOptions): Promise<AguiPlaceholder>;
}

/** The operations of the tag `account`. */
export interface AccountNamespace {
  /** Get who is signed in. */
  getSession(options?: CallOptions): Promise<AccountSession>;
  /** Get the address of the account server. */
  getServer(options?: CallOptions): Promise<AccountServer>;
  /** Sign in with e-mail address and password. */
  login(input: AccountLogin, options?: CallOptions): Promise<AccountSession>;
  /** Request a sign-up code by mail. */
  sendSignupCode(input: SignupCodeRequest, options?: CallOptions): Promise<SignupNotice>;
  /** Create an account with the mailed code, and sign in. */
  completeSignup(input: SignupCompleteRequest, options?: CallOptions): Promise<AccountSession>;
  /** Take over a session that the command line began. */
  adoptSession(input: AdoptSession, options?: CallOptions): Promise<AccountSession>;
  /** Sign out. */
  logout(options?: CallOptions): Promise<AccountSession>;
}

/** The operations of the tag `workspaces`. */
export interface WorkspacesNamespace {
  /** List all workspaces, ordered by name. */
  list(options?: CallOptions): Promise<Array<Workspace>>;
  /** Create a workspace. */
  create(input: CreateWorkspace, options?: CallOptions): Promise<Workspace>;
  /** Get a workspace. */
  get(uuid: string, options?: CallOptions): Promise<Workspace>;
  /** Replace the fields of a workspace. */
  update(uuid: string, input: CreateWorkspace, options?: CallOptions): Promise<Workspace>;
  /** Delete a workspace with its threads, messages and records. */
  delete(uuid: string, options?: CallOptions): Promise<void>;
  /** Get the skills of a workspace. */
  getPolicy(uuid: string, options?: CallOptions): Promise<WorkspacePolicy>;
  /** Replace the skills of a workspace. */
  updatePolicy(uuid: string, input: ReplaceWorkspacePolicy, options?: CallOptions): Promise<WorkspacePolicy>;
  /** Get the instructions of a workspace. */
  getInstructions(uuid: string, options?: CallOptions): Promise<WorkspaceInstructions>;
  /** Replace the instructions of a workspace. */
  updateInstructions(uuid: string, input: WorkspaceInstructions, options?: CallOptions): Promise<WorkspaceInstructions>;
}

/** The operations of the tag `threads`. */
export interface ThreadsNamespace {
  /** List the threads of a workspace, newest-updated first. */
  list(uuid: string, input?: {
    /** The number of threads at most: 1 to 1,000. */
    limit?: number;
    /** The uuid of a thread of the list; the page has the threads after it. */
    before?: string;
    /** The `updatedAt` of that thread when its page was read; the `Link` header has it. 409 where the thread was updated since. */
    at?: string;
    /** A part of the title, compared without case. */
    query?: string;
    /** `newest`: of a conversation and the forks that replaced a message of it, the newest-updated one alone. */
    versions?: "newest";
  }, options?: CallOptions): Promise<Array<Thread>>;
  /** Create a thread. */
  create(input: CreateThread, options?: CallOptions): Promise<Thread>;
  /** Get a thread. */
  get(uuid: string, options?: CallOptions): Promise<Thread>;
  /** Change fields of a thread. */
  update(uuid: string, input: UpdateThread, options?: CallOptions): Promise<Thread>;
  /** Delete a thread with its messages. */
  delete(uuid: string, options?: CallOptions): Promise<void>;
  /** Get the approval policy and skills of a thread. */
  getPolicy(uuid: string, options?: CallOptions): Promise<ThreadPolicy>;
  /** Replace the approval policy and skills of a thread. */
  updatePolicy(uuid: string, input: ReplaceThreadPolicy, options?: CallOptions): Promise<ThreadPolicy>;
  /** Copy a thread up to a message. */
  fork(uuid: string, input?: CreateFork, options?: CallOptions): Promise<Thread>;
  /** List the forks of a thread, the first one first. */
  listForks(uuid: string, options?: CallOptions): Promise<Array<Fork>>;
  /** Get the origin of a fork. */
  getOrigin(uuid: string, options?: CallOptions): Promise<ForkOrigin>;
  /** Get the summary of the oldest messages of a thread. */
  getSummary(uuid: string, options?: CallOptions): Promise<ThreadSummary>;
  /** Give models the whole thread again. */
  deleteSummary(uuid: string, options?: CallOptions): Promise<void>;
  /** Summarize all of a thread but its two newest exchanges. */
  compact(uuid: string, options?: CallOptions): Promise<ThreadSummary>;
  /** Have the model of a thread give it a title. */
  createTitle(uuid: string, options?: CallOptions): Promise<Thread>;
}

/** The operations of the tag `messages`. */
export interface MessagesNamespace {
  /** List the messages of a thread, oldest first. */
  list(uuid: string, input?: {
    /** The number of messages at most: 1 to 1,000. The page has the newest ones. */
    limit?: number;
    /** The uuid of a message of the thread; the page has older ones. */
    before?: string;
  }, options?: CallOptions): Promise<Array<Message>>;
  /** Store a message as given. */
  create(input: CreateMessage, options?: CallOptions): Promise<Message>;
  /** List the attachments of a message. */
  listAttachments(uuid: string, options?: CallOptions): Promise<Array<Attachment>>;
  /** Get the bytes of an attachment. */
  getAttachment(uuid: string, position: string, options?: CallOptions): Promise<Blob>;
}

/** The operations of the tag `files`. */
export interface FilesNamespace {
  /** List the folders in a folder of this machine. */
  listLocalFolders(input: {
    /** An absolute path, or one that begins with `~`. */
    path: string;
  }, options?: CallOptions): Promise<LocalFolders>;
  /** Find files of all roots by name or path. */
  search(uuid: string, input?: {
    /** A part of the name or path, compared without case; empty matches every file. */
    q?: string;
    /** How many matches at most: 1 to 50, by default 20. Other numbers are clamped. */
    limit?: number;
  }, options?: CallOptions): Promise<Array<FileSearchMatch>>;
  /** List the files and folders of a folder. */
  list(uuid: string, input: {
    /** The position of the root in `directories` of the workspace, from 0. */
    rootIndex: number;
    /** The path of the folder, relative to its root; empty is the root itself. */
    path?: string;
  }, options?: CallOptions): Promise<Array<FileEntry>>;
  /** Get the text of a file. */
  get(uuid: string, input: {
    /** The position of the root in `directories` of the workspace, from 0. */
    rootIndex: number;
    /** The path of the file, relative to its root, separated by `/`. */
    path: string;
  }, options?: CallOptions): Promise<FileContent>;
  /** Create a text file in an existing folder. */
  create(uuid: string, input: {
    /** The position of the root in `directories` of the workspace, from 0. */
    rootIndex: number;
    /** The path of the file, relative to its root, separated by `/`. */
    path: string;
  } & FileContent, options?: CallOptions): Promise<FileContent>;
  /** Replace the text of an existing file. */
  update(uuid: string, input: {
    /** The position of the root in `directories` of the workspace, from 0. */
    rootIndex: number;
    /** The path of the file, relative to its root, separated by `/`. */
    path: string;
  } & FileContent, options?: CallOptions): Promise<FileContent>;
  /** Get the bytes of an image, PDF or DOCX. */
  preview(uuid: string, input: {
    /** The position of the root in `directories` of the workspace, from 0. */
    rootIndex: number;
    /** The path of the file, relative to its root, separated by `/`. */
    path: string;
  }, options?: CallOptions): Promise<Blob>;
  /** Create one folder in an existing folder. */
  createDirectory(uuid: string, input: {
    /** The position of the root in `directories` of the workspace, from 0. */
    rootIndex: number;
    /** The path of the new folder, relative to its root, separated by `/`. */
    path: string;
  }, options?: CallOptions): Promise<FileEntry>;
  /** Move a file or folder into another folder of its root. */
  move(uuid: string, input: MovePath, options?: CallOptions): Promise<FileEntry>;
}

/** The operations of the tag `settings`. */
export interface SettingsNamespace {
  /** List settings, with filters that match exactly. */
  list(input?: {
    /** Only settings with this key. */
    key?: string;
    /** Only settings with this tag. */
    tag?: string;
    /** Only settings of this client. */
    client?: string;
  }, options?: CallOptions): Promise<Array<Setting>>;
  /** Store settings by key, tag and client. */
  update(input: Array<Setting>, options?: CallOptions): Promise<Array<Setting>>;
}

/** The operations of the tag `models`. */
export interface ModelsNamespace {
  /** List all model configurations, sorted by id. */
  listConfigurations(options?: CallOptions): Promise<Array<ModelConfiguration>>;
  /** Configure a model. */
  createConfiguration(input: UpsertModelConfiguration, options?: CallOptions): Promise<ModelConfiguration>;
  /** Replace the fields of a model configuration. */
  updateConfiguration(id: string, input: UpsertModelConfiguration, options?: CallOptions): Promise<ModelConfiguration>;
  /** Delete a model configuration with its credentials. */
  deleteConfiguration(id: string, options?: CallOptions): Promise<void>;
  /** Test a configured model with one short request. */
  testConfiguration(id: string, options?: CallOptions): Promise<ModelTest>;
  /** Replace the headers of requests to the provider of a model. */
  updateConfigurationHeaders(id: string, input: ModelHeaders, options?: CallOptions): Promise<ModelHeaderNames>;
  /** Get the context window of a model. */
  getConfigurationContext(id: string, options?: CallOptions): Promise<ContextWindow>;
  /** Get the parameters of requests to a model. */
  getConfigurationParameters(id: string, options?: CallOptions): Promise<ModelParameters>;
  /** Replace the parameters of requests to a model. */
  updateConfigurationParameters(id: string, input: ModelParameters, options?: CallOptions): Promise<ModelParameters>;
  /** List the known providers with the fields that each takes. */
  listProviders(options?: CallOptions): Promise<Array<KnownProvider>>;
  /** Find the model servers that run on this machine. */
  discover(options?: CallOptions): Promise<Array<DiscoveredServer>>;
  /** List the models that a provider has for a key. */
  listOffered(input: OfferedModelsRequest, options?: CallOptions): Promise<Array<OfferedModel>>;
  /** List the models to choose from: the configured ones, then echo. */
  list(options?: CallOptions): Promise<Array<Model>>;
}

/** The operations of the tag `retrieval`. */
export interface RetrievalNamespace {
  /** Index every enabled root of a workspace. */
  indexWorkspace(uuid: string, options?: CallOptions): Promise<RagWorkspaceIndex>;
  /** Index one root of a workspace. */
  indexRoot(uuid: string, rootIndex: number, options?: CallOptions): Promise<RagRootIndex>;
  /** End the index runs of a workspace. */
  cancelIndexing(uuid: string, options?: CallOptions): Promise<RagCancelled>;
  /** Search the indexed roots of a workspace. */
  searchWorkspace(uuid: string, input: RagSearch, options?: CallOptions): Promise<Array<RagResult>>;
  /** List what could not be read of a root. */
  listIndexingFailures(uuid: string, input: {
    /** The position of the root in `directories`, from 0. */
    rootIndex: number;
  }, options?: CallOptions): Promise<Array<RagFailure>>;
  /** Get the state of the index of each root, and of its index run. */
  getStatus(uuid: string, options?: CallOptions): Promise<RagStatus>;
}

/** The operations of the tag `tools`. */
export interface ToolsNamespace {
  /** Get the built-in tools by group, and the configured ones. */
  getCatalog(options?: CallOptions): Promise<ToolCatalog>;
  /** List the configured tools, sorted by alias or name. */
  list(options?: CallOptions): Promise<Array<ToolConfiguration>>;
  /** Register a tool. */
  create(input: UpsertToolConfiguration, options?: CallOptions): Promise<ToolConfiguration>;
  /** Get a configured tool. */
  get(uuid: string, options?: CallOptions): Promise<ToolConfiguration>;
  /** Replace the fields of a configured tool. */
  update(uuid: string, input: UpsertToolConfiguration, options?: CallOptions): Promise<ToolConfiguration>;
  /** Delete a configured tool with its auth configuration. */
  delete(uuid: string, options?: CallOptions): Promise<void>;
}

/** The operations of the tag `mcp`. */
export interface McpNamespace {
  /** List the configured MCP servers with their tools, as a workspace sees them. */
  listTools(uuid: string, options?: CallOptions): Promise<Array<McpServerTools>>;
  /** Connect a configured MCP server and list its tools. */
  testServer(uuid: string, options?: CallOptions): Promise<McpTest>;
}

/** The operations of the tag `search`. */
export interface SearchNamespace {
  /** Find messages by their words. */
  searchMessages(input: {
    /** The words to find. The first 8,000 characters count. */
    query: string;
    /** Only messages of this workspace. */
    workspaceUuid?: string;
    /** Only messages of this thread. */
    threadUuid?: string;
    /** The number of messages at most: 1 to 50, by default 20. */
    limit?: number;
  }, options?: CallOptions): Promise<Array<MessageHit>>;
  /** Find messages by the words of a long query. */
  searchMessagesByBody(input: MessageSearch, options?: CallOptions): Promise<Array<MessageHit>>;
}

/** The operations of the tag `turns`. */
export interface TurnsNamespace {
  /** Start a turn in a thread. */
  startThread(uuid: string, input: StartThreadTurn, options?: CallOptions): Promise<Turn>;
  /** List the turns of a thread, newest first. */
  listThread(uuid: string, input?: {
    /** Only turns in this state. */
    state?: "running" | "completed" | "cancelled" | "failed" | "interrupted" | "waiting";
    /** The number of turns at most: 1 to 1,000; all by default. */
    limit?: number;
    /** Whether each turn has its `details`; false by default. */
    details?: boolean;
  }, options?: CallOptions): Promise<Array<DetailedTurn>>;
  /** Start a turn in a new thread. */
  startWorkspace(uuid: string, input: StartTurn, options?: CallOptions): Promise<Turn>;
  /** List turns, newest first. */
  list(input?: {
    /** Only turns in this state. */
    state?: "running" | "completed" | "cancelled" | "failed" | "interrupted" | "waiting";
    /** Only turns of this thread. */
    threadUuid?: string;
    /** The number of turns at most: 1 to 1,000, by default 50. */
    limit?: number;
  }, options?: CallOptions): Promise<Array<Turn>>;
  /** Get a turn. */
  get(uuid: string, options?: CallOptions): Promise<Turn>;
  /** Get what a turn sent to its model. */
  getContext(uuid: string, options?: CallOptions): Promise<SentContext>;
  /** List the passages of files that a turn sent to its model. */
  listSources(uuid: string, options?: CallOptions): Promise<Array<TurnSource>>;
  /** Get what the model of a turn thought. */
  getReasoning(uuid: string, options?: CallOptions): Promise<TurnReasoning>;
  /** Cancel a turn. */
  cancel(uuid: string, options?: CallOptions): Promise<Turn>;
  /** Stream the events of a turn, from its beginning or after an id. */
  streamEvents(uuid: string, input?: {
    /** The id of the last event that the client has. */
    after?: string;
  }, options?: CallOptions): AsyncIterable<TurnEvent>;
  /** List the approvals that turns over HTTP wait for. */
  listApprovals(options?: CallOptions): Promise<Array<Approval>>;
  /** Get an approval that waits, with all its arguments. */
  getApproval(uuid: string, options?: CallOptions): Promise<Approval>;
  /** Approve or deny a tool call. */
  decideApproval(uuid: string, input: DecideApproval, options?: CallOptions): Promise<Approval>;
  /** List the approvals that are remembered, the newest first. */
  listApprovalGrants(input?: {
    /** Only grants of this workspace and its threads. */
    workspaceUuid?: string;
    /** Only grants of this thread. */
    threadUuid?: string;
  }, options?: CallOptions): Promise<Array<ApprovalGrant>>;
  /** Delete an approval that is remembered. */
  deleteApprovalGrant(uuid: string, options?: CallOptions): Promise<void>;
  /** Sum the turns and tokens of days, models, workspaces or threads. */
  getUsage(input?: {
    /** The first day; by default, 29 days before the last. */
    from?: string;
    /** The last day, which is included; today by default. */
    to?: string;
    /** What turns are grouped by; `day` by default. */
    groupBy?: "day" | "model" | "workspace" | "thread";
  }, options?: CallOptions): Promise<Usage>;
}

/** The operations of the tag `clientKeys`. */
export interface ClientKeysNamespace {
  /** List the keys of other programs, in order of creation. */
  list(options?: CallOptions): Promise<Array<ClientKey>>;
  /** Make a key for another program. */
  create(input: CreateClientKey, options?: CallOptions): Promise<NewClientKey>;
  /** Revoke a key at once. */
  delete(uuid: string, options?: CallOptions): Promise<void>;
}

/** The operations of the tag `realtime`. */
export interface RealtimeNamespace {
  /** Stream future events, one JSON `data:` line each. */
  streamEvents(options?: CallOptions): AsyncIterable<StreamEvent>;
  /** Stream what changes, as events of ids and names. */
  streamChanges(input?: {
    /** The id of the last event that the client has. */
    after?: string;
  }, options?: CallOptions): AsyncIterable<ChangeEvent>;
  /** Open the WebSocket channel. */
  openEvents(options?: CallOptions): Promise<WebSocket>;
}

/** The operations of the tag `status`. */
export interface StatusNamespace {
  /** Get what the engine does now. */
  get(input?: {
    /** `true` adds the findings of the checks. */
    findings?: "true" | "false";
  }, options?: CallOptions): Promise<EngineStatus>;
}

/** The operations of the tag `console`. */
export interface ConsoleNamespace {
  /** Create a link that opens the console in a browser. */
  createLink(options?: CallOptions): Promise<ConsoleLink>;
}

/** The namespaces. */
export interface Namespaces {
  system: SystemNamespace;
  account: AccountNamespace;
  workspaces: WorkspacesNamespace;
  threads: ThreadsNamespace;
  messages: MessagesNamespace;
  files: FilesNamespace;
  settings: SettingsNamespace;
  models: ModelsNamespace;
  retrieval: RetrievalNamespace;
  tools: ToolsNamespace;
  mcp: McpNamespace;
  search: SearchNamespace;
  turns: TurnsNamespace;
  clientKeys: ClientKeysNamespace;
  realtime: RealtimeNamespace;
  status: StatusNamespace;
  console: ConsoleNamespace;
}

/** Every operation by its `operationId`. */
export interface Operations {
  getHealth: SystemNamespace["getHealth"];
  getDocument: SystemNamespace["getDocument"];
  runAgui: SystemNamespace["runAgui"];
  getAccountSession: AccountNamespace["getSession"];
  getAccountServer: AccountNamespace["getServer"];
  loginAccount: AccountNamespace["login"];
  sendAccountSignupCode: AccountNamespace["sendSignupCode"];
  completeAccountSignup: AccountNamespace["completeSignup"];
  adoptAccountSession: AccountNamespace["adoptSession"];
  logoutAccount: AccountNamespace["logout"];
  listWorkspaces: WorkspacesNamespace["list"];
  createWorkspace: WorkspacesNamespace["create"];
  getWorkspace: WorkspacesNamespace["get"];
  updateWorkspace: WorkspacesNamespace["update"];
  deleteWorkspace: WorkspacesNamespace["delete"];
  getWorkspacePolicy: WorkspacesNamespace["getPolicy"];
  updateWorkspacePolicy: WorkspacesNamespace["updatePolicy"];
  getWorkspaceInstructions: WorkspacesNamespace["getInstructions"];
  updateWorkspaceInstructions: WorkspacesNamespace["updateInstructions"];
  listThreads: ThreadsNamespace["list"];
  createThread: ThreadsNamespace["create"];
  getThread: ThreadsNamespace["get"];
  updateThread: ThreadsNamespace["update"];
  deleteThread: ThreadsNamespace["delete"];
  getThreadPolicy: ThreadsNamespace["getPolicy"];
  updateThreadPolicy: ThreadsNamespace["updatePolicy"];
  listMessages: MessagesNamespace["list"];
  createMessage: MessagesNamespace["create"];
  listMessageAttachments: MessagesNamespace["listAttachments"];
  getMessageAttachment: MessagesNamespace["getAttachment"];
  forkThread: ThreadsNamespace["fork"];
  listForks: ThreadsNamespace["listForks"];
  getOrigin: ThreadsNamespace["getOrigin"];
  listLocalFolders: FilesNamespace["listLocalFolders"];
  searchFiles: FilesNamespace["search"];
  listFiles: FilesNamespace["list"];
  getFile: FilesNamespace["get"];
  createFile: FilesNamespace["create"];
  updateFile: FilesNamespace["update"];
  previewFile: FilesNamespace["preview"];
  createDirectory: FilesNamespace["createDirectory"];
  moveFile: FilesNamespace["move"];
  listSettings: SettingsNamespace["list"];
  updateSettings: SettingsNamespace["update"];
  listModelConfigurations: ModelsNamespace["listConfigurations"];
  createModelConfiguration: ModelsNamespace["createConfiguration"];
  updateModelConfiguration: ModelsNamespace["updateConfiguration"];
  deleteModelConfiguration: ModelsNamespace["deleteConfiguration"];
  testModelConfiguration: ModelsNamespace["testConfiguration"];
  updateModelConfigurationHeaders: ModelsNamespace["updateConfigurationHeaders"];
  getModelConfigurationContext: ModelsNamespace["getConfigurationContext"];
  getModelConfigurationParameters: ModelsNamespace["getConfigurationParameters"];
  updateModelConfigurationParameters: ModelsNamespace["updateConfigurationParameters"];
  listProviders: ModelsNamespace["listProviders"];
  discoverModels: ModelsNamespace["discover"];
  listOfferedModels: ModelsNamespace["listOffered"];
  listModels: ModelsNamespace["list"];
  indexWorkspace: RetrievalNamespace["indexWorkspace"];
  indexRoot: RetrievalNamespace["indexRoot"];
  cancelIndexing: RetrievalNamespace["cancelIndexing"];
  searchWorkspace: RetrievalNamespace["searchWorkspace"];
  listIndexingFailures: RetrievalNamespace["listIndexingFailures"];
  getRetrievalStatus: RetrievalNamespace["getStatus"];
  getToolCatalog: ToolsNamespace["getCatalog"];
  listTools: ToolsNamespace["list"];
  createTool: ToolsNamespace["create"];
  getTool: ToolsNamespace["get"];
  updateTool: ToolsNamespace["update"];
  deleteTool: ToolsNamespace["delete"];
  listMcpTools: McpNamespace["listTools"];
  testMcpServer: McpNamespace["testServer"];
  searchMessages: SearchNamespace["searchMessages"];
  searchMessagesByBody: SearchNamespace["searchMessagesByBody"];
  startThreadTurn: TurnsNamespace["startThread"];
  listThreadTurns: TurnsNamespace["listThread"];
  startWorkspaceTurn: TurnsNamespace["startWorkspace"];
  listTurns: TurnsNamespace["list"];
  getTurn: TurnsNamespace["get"];
  getTurnContext: TurnsNamespace["getContext"];
  listTurnSources: TurnsNamespace["listSources"];
  getTurnReasoning: TurnsNamespace["getReasoning"];
  cancelTurn: TurnsNamespace["cancel"];
  getThreadSummary: ThreadsNamespace["getSummary"];
  deleteThreadSummary: ThreadsNamespace["deleteSummary"];
  compactThread: ThreadsNamespace["compact"];
  streamTurnEvents: TurnsNamespace["streamEvents"];
  listApprovals: TurnsNamespace["listApprovals"];
  getApproval: TurnsNamespace["getApproval"];
  decideApproval: TurnsNamespace["decideApproval"];
  listApprovalGrants: TurnsNamespace["listApprovalGrants"];
  deleteApprovalGrant: TurnsNamespace["deleteApprovalGrant"];
  createThreadTitle: ThreadsNamespace["createTitle"];
  getUsage: TurnsNamespace["getUsage"];
  listClientKeys: ClientKeysNamespace["list"];
  createClientKey: ClientKeysNamespace["create"];
  deleteClientKey: ClientKeysNamespace["delete"];
  streamEvents: RealtimeNamespace["streamEvents"];
  streamChanges: RealtimeNamespace["streamChanges"];
  openEvents: RealtimeNamespace["openEvents"];
  getStatus: StatusNamespace["get"];
  createConsoleLink: ConsoleNamespace["createLink"];
}
