/** The end of `--help`: every variable. */
export const VARIABLES = `Variables of the server (optional in development)

Addresses
  SIGNIN_HOST, SIGNIN_PORT     where to listen (127.0.0.1, 8787; port 0 means any free one)
  APP_ENV                      development (default), test, staging or production
  APP_BASE_URL                 public address; callbacks are {APP_BASE_URL}/auth/{provider}/callback
  APP_UI_BASE_URL              where browsers return after sign-in
  WEB_BASE_URL, DOCS_BASE_URL  public web and documentation addresses
  APP_NAME                     the name of the service (Roundhouse) in the page, mails and passkeys
  APP_LOGO_URL                 a square image for the page, at any https address
  CORS_ALLOWED_ORIGINS         further origins that may call this server, comma-separated
  TRUSTED_HOSTS                further host names of this server
  PASSKEY_RP_ID                the domain that passkeys belong to (by default what both addresses share, else the host of
                               APP_BASE_URL); another one makes all existing passkeys unusable
  TRUSTED_PROXIES              addresses or CIDRs whose X-Forwarded-For counts

Secrets (development generates the first two once, into the data directory)
  JWT_SECRET_KEY               at least 32 random bytes, such as 64 hex digits; new,old to rotate
  JWT_SIGNING_ALG              HS256 (default), or EdDSA: other services verify access tokens with a public key
  TOKEN_ENCRYPTION_KEY         URL-safe base64 of 32 random bytes; new,old to rotate

Providers: any number in PROVIDERS, in addition to the two pairs below
  PROVIDERS                    names in their order: google, microsoft, apple, github, gitlab, discord, or others
  PROVIDER_<NAME>_CLIENT_ID, _CLIENT_SECRET
                               of each name, in capitals; of apple _TEAM_ID, _KEY_ID and _PRIVATE_KEY in place of the secret
  PROVIDER_<NAME>_KIND         oidc (with _ISSUER) or oauth (with _AUTHORIZE_URL, _TOKEN_URL, _API_URL), for other names
  PROVIDER_<NAME>_LABEL, _SCOPES, _TOKEN_AUTH, _ISSUER_CHANGED
                               its display name, its scopes, and as for the pair below
  PROVIDER_MICROSOFT_TENANT    common (default), organizations, consumers, or one tenant

  OIDC_PROVIDER_CLIENT_ID, OIDC_PROVIDER_CLIENT_SECRET
  OIDC_PROVIDER_ISSUER, OIDC_PROVIDER_SLUG
  OIDC_PROVIDER_TOKEN_AUTH     basic or post; by default what the provider's metadata list
  OIDC_PROVIDER_ISSUER_CHANGED, OAUTH_PROVIDER_ISSUER_CHANGED
                               accept takes over the identities of the former issuer, for one start
  OAUTH_PROVIDER_CLIENT_ID, OAUTH_PROVIDER_CLIENT_SECRET
  OAUTH_PROVIDER_AUTHORIZE_URL, OAUTH_PROVIDER_TOKEN_URL, OAUTH_PROVIDER_API_URL, OAUTH_PROVIDER_SLUG

Sign-up
  SIGNUP                       open (default), invited or closed; \`invite ADDRESS\` lets an address sign up, unless it is closed
  SIGNUP_ALLOWED_DOMAINS       narrows open to these domains of addresses, comma-separated, and to invited addresses

Mail
  MAIL_TRANSPORT               log (default in development), http or smtp
  MAIL_HTTP_FORMAT             resend (default; any server that takes {to, from, subject, text}), postmark, sendgrid or mailgun
  MAIL_FROM, MAIL_HTTP_URL, MAIL_HTTP_TOKEN, MAIL_SMTP_URL

Storage and sessions
  SIGNIN_DATA_DIR              the data directory; one process at a time
  SESSION_IDLE_DAYS, SESSION_ABSOLUTE_DAYS, REFRESH_LOST_RESPONSE_WINDOW, ACCESS_TOKEN_AUDIENCE
  AUDIT_FULL_IP                1 keeps whole addresses in the audit trail
  METRICS_TOKEN                serves GET /metrics (Prometheus) to this bearer; without it the path is 404
  SIGNIN_LOG_LEVEL             trace, debug, info (default), warn, error, fatal or silent
`;
