// The numbers of the client.

/** How long before its end an access token is refreshed. */
export const ACCESS_TOKEN_MARGIN_MS = 30_000;
