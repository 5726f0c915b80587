// Written by `npm run client:generate` from signin/openapi.json.
import { readOperations } from "../../shared/client/operation-table.ts";
import type { Operations } from "./wire.generated.ts";

/** Every operation of the document, by its `operationId`. */
export const OPERATIONS = readOperations<keyof Operations>(`system
getHealth GET /health
getDocument GET /openapi.json
getReadiness GET /ready snakeAnswer
login
start_Login_ GET /auth/{provider}/login?mode&native&redirect_to&code_challenge&code_challenge_method session
complete_Login_ GET /auth/{provider}/callback
postCallback POST /auth/{provider}/callback
native
exchange_Native_Code POST /auth/native/token body snakeBody snakeAnswer
account
getMe GET /auth/me snakeAnswer session
updateMe PATCH /auth/me body snakeBody snakeAnswer session
deleteMe DELETE /auth/me body session
listProviders GET /auth/providers snakeAnswer session
sendEmailCode POST /auth/email/code body session
changeEmail POST /auth/email/complete body session
sendDeleteCode POST /auth/me/delete/code session
exportMe GET /auth/me/export snakeAnswer session
sendReauthenticationCode POST /auth/reauthenticate/code session
reauthenticateSession POST /auth/reauthenticate body snakeBody snakeAnswer session
getSecondFactor GET /auth/second-factor snakeAnswer session
loginIdentity POST /auth/second-factor/identity body snakeBody snakeAnswer
createTotpOptions POST /auth/second-factor/totp/options session
enableTotp POST /auth/second-factor/totp body snakeAnswer session
disableTotp DELETE /auth/second-factor/totp session
createRecoveryCodes POST /auth/second-factor/recovery-codes snakeAnswer session
sessions
list_Sessions_ GET /auth/sessions snakeAnswer session
delete_Session_ DELETE /auth/sessions/{id} session
events
list_Events_ GET /auth/events snakeAnswer session
connections
connectApiKey POST /auth/apikey body snakeBody snakeAnswer session
disconnectProvider DELETE /auth/{provider}/disconnect session
listIdentities GET /auth/identities snakeAnswer session
confirmIdentity POST /auth/identities/{provider}/confirm session
sessions
refresh_Session_ POST /auth/refresh body snakeBody snakeAnswer
logout_Session_ POST /auth/logout body session
listPublishedKeys GET /.well-known/jwks.json
getServerMetadata GET /.well-known/oauth-authorization-server snakeAnswer
passwords
login_Password_ POST /auth/login body snakeBody snakeAnswer
sendLoginCode POST /auth/login/code body
completeCodeLogin POST /auth/login/code/complete body snakeBody snakeAnswer
sendSignupCode POST /auth/signup/code body
completeSignup POST /auth/signup/complete body snakeBody snakeAnswer
send_Password_Code POST /auth/password/code session
change_Password_ POST /auth/password body snakeBody session
send_Password_ResetCode POST /auth/password/reset/code body
complete_Password_Reset POST /auth/password/reset/complete body snakeBody snakeAnswer
passkeys
create_Passkey_Options POST /auth/passkeys/options session
create_Passkey_ POST /auth/passkeys body snakeAnswer session
list_Passkeys_ GET /auth/passkeys snakeAnswer session
update_Passkey_ PATCH /auth/passkeys/{id} body snakeAnswer session
delete_Passkey_ DELETE /auth/passkeys/{id} session
create_Passkey_LoginOptions POST /auth/passkey/options body
login_Passkey_ POST /auth/passkey body snakeAnswer
page
get_Page_ GET / bytes
get_Page_Style GET /page/style.css bytes
get_Page_Script GET /page/script.js bytes
get_Page_Icon GET /page/icon.svg bytes
get_Page_CommonPasswords GET /page/common-passwords.txt bytes`);
