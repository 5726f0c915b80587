/** The user and session of an access token. The session must be read, too: it may have been revoked since. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
}
