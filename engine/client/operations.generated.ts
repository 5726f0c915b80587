// Written by `npm run client:generate` from engine/openapi.json.
import { readOperations } from "../../shared/client/operation-table.ts";
import type { Operations } from "./wire.generated.ts";

/** Every operation of the document, by its `operationId`. */
export const OPERATIONS = readOperations<keyof Operations>(`system
getHealth GET /health
getDocument GET /openapi.json
runAgui POST /agui
account
get_Account_Session GET /account/session snakeAnswer
get_Account_Server GET /account/server
login_Account_ POST /account/login body snakeBody snakeAnswer
send_Account_SignupCode POST /account/signup/code body
complete_Account_Signup POST /account/signup/complete body snakeBody snakeAnswer
adopt_Account_Session POST /account/adopt body snakeBody snakeAnswer
logout_Account_ POST /account/logout snakeAnswer
workspaces
list_Workspaces_ GET /workspaces json
create_Workspace_ POST /workspaces body json
get_Workspace_ GET /workspaces/{uuid} json
update_Workspace_ PUT /workspaces/{uuid} body json
delete_Workspace_ DELETE /workspaces/{uuid}
get_Workspace_Policy GET /workspaces/{uuid}/policy json
update_Workspace_Policy PUT /workspaces/{uuid}/policy body json
get_Workspace_Instructions GET /workspaces/{uuid}/instructions
update_Workspace_Instructions PUT /workspaces/{uuid}/instructions body
threads
list_Threads_ GET /workspaces/{uuid}/threads?limit&before&at&query&versions json
create_Thread_ POST /threads body json
get_Thread_ GET /threads/{uuid} json
update_Thread_ PUT /threads/{uuid} body json
delete_Thread_ DELETE /threads/{uuid}
get_Thread_Policy GET /threads/{uuid}/policy json
update_Thread_Policy PUT /threads/{uuid}/policy body json
messages
list_Messages_ GET /threads/{uuid}/messages?limit&before
create_Message_ POST /messages body
list_Message_Attachments GET /messages/{uuid}/attachments
get_Message_Attachment GET /messages/{uuid}/attachments/{position} bytes
threads
fork_Thread_ POST /threads/{uuid}/forks body json
listForks GET /threads/{uuid}/forks
getOrigin GET /threads/{uuid}/origin
files
listLocalFolders GET /local-folders?path
search_Files_ GET /workspaces/{uuid}/files/search?q&limit
list_Files_ GET /workspaces/{uuid}/files?rootIndex&path
get_File_ GET /workspaces/{uuid}/files/content?rootIndex&path
create_File_ POST /workspaces/{uuid}/files/content?rootIndex&path body
update_File_ PUT /workspaces/{uuid}/files/content?rootIndex&path body
preview_File_ GET /workspaces/{uuid}/files/preview?rootIndex&path bytes
createDirectory POST /workspaces/{uuid}/files/directory?rootIndex&path
move_File_ POST /workspaces/{uuid}/files/move body
settings
list_Settings_ GET /settings?key&tag&client
update_Settings_ PUT /settings body
models
list_Model_Configurations GET /model-configurations
create_Model_Configuration POST /model-configurations body
update_Model_Configuration PUT /model-configurations/{id} body
delete_Model_Configuration DELETE /model-configurations/{id}
test_Model_Configuration POST /model-configurations/{id}/test
update_Model_ConfigurationHeaders PUT /model-configurations/{id}/headers body
get_Model_ConfigurationContext GET /model-configurations/{id}/context
get_Model_ConfigurationParameters GET /model-configurations/{id}/parameters
update_Model_ConfigurationParameters PUT /model-configurations/{id}/parameters body
listProviders GET /providers
discover_Models_ POST /model-discovery
listOffered_Models_ POST /provider-models body
list_Models_ GET /models
retrieval
indexWorkspace POST /workspaces/{uuid}/rag/index
indexRoot POST /workspaces/{uuid}/rag/roots/{root_index}/index
cancelIndexing POST /workspaces/{uuid}/rag/cancel
searchWorkspace POST /workspaces/{uuid}/rag/search body snakeAnswer
listIndexingFailures GET /workspaces/{uuid}/rag/failures?rootIndex
get_Retrieval_Status GET /workspaces/{uuid}/rag/status
tools
get_Tool_Catalog GET /tools/catalog
list_Tools_ GET /tool-registry
create_Tool_ POST /tool-registry body json
get_Tool_ GET /tool-registry/{uuid}
update_Tool_ PUT /tool-registry/{uuid} body json
delete_Tool_ DELETE /tool-registry/{uuid}
mcp
list_Mcp_Tools GET /workspaces/{uuid}/mcp-tools
test_Mcp_Server POST /tool-registry/{uuid}/test
search
searchMessages GET /search/messages?query&workspaceUuid&threadUuid&limit
searchMessagesByBody POST /search/messages body
turns
startThread_Turn_ POST /threads/{uuid}/turns body snakeBody
listThread_Turns_ GET /threads/{uuid}/turns?state&limit&details
startWorkspace_Turn_ POST /workspaces/{uuid}/turns body snakeBody
list_Turns_ GET /turns?state&threadUuid&limit
get_Turn_ GET /turns/{uuid}
get_Turn_Context GET /turns/{uuid}/context
list_Turn_Sources GET /turns/{uuid}/sources
get_Turn_Reasoning GET /turns/{uuid}/reasoning
cancel_Turn_ POST /turns/{uuid}/cancel
threads
get_Thread_Summary GET /threads/{uuid}/summary
delete_Thread_Summary DELETE /threads/{uuid}/summary
compact_Thread_ POST /threads/{uuid}/compact
turns
stream_Turn_Events GET /turns/{uuid}/events?after snakeAnswer events
listApprovals GET /approvals
getApproval GET /approvals/{uuid}
decideApproval POST /approvals/{uuid} body
listApprovalGrants GET /approval-grants?workspaceUuid&threadUuid
deleteApprovalGrant DELETE /approval-grants/{uuid}
threads
create_Thread_Title POST /threads/{uuid}/title json
turns
getUsage GET /usage?from&to&groupBy
clientKeys
list_ClientKeys_ GET /client-keys
create_ClientKey_ POST /client-keys body
delete_ClientKey_ DELETE /client-keys/{uuid}
realtime
streamEvents GET /stream snakeAnswer events
streamChanges GET /changes?after events
openEvents GET /events socket
status
get_Status_ GET /status?findings
console
create_Console_Link POST /console/links`);

/** The fields that hold JSON in a string. */
export const JSON_FIELDS: readonly string[] = ["approvalConfig","authConfigJson","directories","ragConfig","skillsConfig","toolsConfig"];
