/** What the account view reads of the server (signin/openapi.json). */
export interface Account {
  me: Me;
  providers: Provider[];
  passkeys: Passkey[];
  sessions: SessionInfo[];
  events: EventInfo[];
}

export interface Me {
  email: string;
  display_name: string | null;
  has_password: boolean;
  connections: { provider: string; connected_at: string }[];
}

export interface Provider {
  slug: string;
  kind: "oidc" | "oauth" | "api_key";
  can_sign_in: boolean;
  connected: boolean;
  hint?: string;
}

export interface Passkey {
  id: string;
  label: string;
  created_at: string;
  last_used_at: string | null;
  backed_up: boolean;
}

export interface SessionInfo {
  id: string;
  kind: string;
  created_at: string;
  last_seen_at: string;
  network: string | null;
  user_agent: string | null;
  current: boolean;
}

export interface EventInfo {
  at: string;
  type: string;
  outcome: string;
  network: string | null;
  user_agent: string | null;
  detail: Readonly<Record<string, unknown>>;
}
