/** What sends the verifier's requests. A file of its own: the published types must not name jose, which a service may not have. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
