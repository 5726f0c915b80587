// Written by `npm run client:generate` from signin/openapi.json.
import { readOperations } from "../../shared/client/operation-table.ts";
import type { Operations } from "./wire.generated.ts";

/** Every operation of the document, by its `operationId`. */
export const OPERATIONS = readOperations<keyof Operations>(`system
getHealth GET /health
getDocument GET /openapi.json
getReadiness GET /ready a
login
start_Login_ GET /auth/{provider}/login?mode&native&redirect_to&code_challenge&code_challenge_method u
complete_Login_ GET /auth/{provider}/callback
native
exchange_Native_Code POST /auth/native/token bsa
account
getMe GET /auth/me au
updateMe PATCH /auth/me bsau
deleteMe DELETE /auth/me bu
listProviders GET /auth/providers au
sendEmailCode POST /auth/email/code bu
changeEmail POST /auth/email/complete bu
sendDeleteCode POST /auth/me/delete/code u
exportMe GET /auth/me/export au
sessions
list_Sessions_ GET /auth/sessions au
delete_Session_ DELETE /auth/sessions/{id} u
events
list_Events_ GET /auth/events au
connections
connectApiKey POST /auth/apikey bsau
disconnectProvider DELETE /auth/{provider}/disconnect u
sessions
refresh_Session_ POST /auth/refresh bsa
logout_Session_ POST /auth/logout bu
listPublishedKeys GET /.well-known/jwks.json
getServerMetadata GET /.well-known/oauth-authorization-server a
passwords
login_Password_ POST /auth/login ba
sendLoginCode POST /auth/login/code b
completeCodeLogin POST /auth/login/code/complete ba
sendSignupCode POST /auth/signup/code b
completeSignup POST /auth/signup/complete bsa
send_Password_Code POST /auth/password/code u
change_Password_ POST /auth/password bsu
send_Password_ResetCode POST /auth/password/reset/code b
complete_Password_Reset POST /auth/password/reset/complete ba
passkeys
create_Passkey_Options POST /auth/passkeys/options u
create_Passkey_ POST /auth/passkeys bau
list_Passkeys_ GET /auth/passkeys au
update_Passkey_ PATCH /auth/passkeys/{id} bau
delete_Passkey_ DELETE /auth/passkeys/{id} u
create_Passkey_LoginOptions POST /auth/passkey/options b
login_Passkey_ POST /auth/passkey ba
page
get_Page_ GET / B
get_Page_Style GET /page/style.css B
get_Page_Script GET /page/script.js B
get_Page_Icon GET /page/icon.svg B
get_Page_CommonPasswords GET /page/common-passwords.txt B`);
