/** The user and session of an access token. The session must still be read: it may be revoked since. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
}
