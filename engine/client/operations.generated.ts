// Written by `npm run client:generate` from engine/openapi.json.
import { readOperations } from "../../shared/client/operation-table.ts";
import type { Operations } from "./wire.generated.ts";

/** Every operation of the document, by its `operationId`. */
export const OPERATIONS = readOperations<keyof Operations>(`system
getHealth GET /health
getDocument GET /openapi.json
runAgui POST /agui
account
get_Account_Session GET /account/session a
get_Account_Server GET /account/server
login_Account_ POST /account/login ba
send_Account_SignupCode POST /account/signup/code b
complete_Account_Signup POST /account/signup/complete bsa
adopt_Account_Session POST /account/adopt bsa
logout_Account_ POST /account/logout a
workspaces
list_Workspaces_ GET /workspaces j
create_Workspace_ POST /workspaces bj
get_Workspace_ GET /workspaces/{uuid} j
update_Workspace_ PUT /workspaces/{uuid} bj
delete_Workspace_ DELETE /workspaces/{uuid}
get_Workspace_Policy GET /workspaces/{uuid}/policy j
update_Workspace_Policy PUT /workspaces/{uuid}/policy bj
threads
list_Threads_ GET /workspaces/{uuid}/threads?limit&before&at&query j
create_Thread_ POST /threads bj
get_Thread_ GET /threads/{uuid} j
update_Thread_ PUT /threads/{uuid} bj
delete_Thread_ DELETE /threads/{uuid}
get_Thread_Policy GET /threads/{uuid}/policy j
update_Thread_Policy PUT /threads/{uuid}/policy bj
messages
list_Messages_ GET /threads/{uuid}/messages?limit&before
create_Message_ POST /messages b
files
search_Files_ GET /workspaces/{uuid}/files/search?q&limit
list_Files_ GET /workspaces/{uuid}/files?rootIndex&path
get_File_ GET /workspaces/{uuid}/files/content?rootIndex&path
create_File_ POST /workspaces/{uuid}/files/content?rootIndex&path b
update_File_ PUT /workspaces/{uuid}/files/content?rootIndex&path b
preview_File_ GET /workspaces/{uuid}/files/preview?rootIndex&path B
createDirectory POST /workspaces/{uuid}/files/directory?rootIndex&path
move_File_ POST /workspaces/{uuid}/files/move b
settings
list_Settings_ GET /settings?key&tag&client
update_Settings_ PUT /settings b
models
list_Model_Configurations GET /model-configurations
create_Model_Configuration POST /model-configurations b
update_Model_Configuration PUT /model-configurations/{id} b
delete_Model_Configuration DELETE /model-configurations/{id}
test_Model_Configuration POST /model-configurations/{id}/test
update_Model_ConfigurationHeaders PUT /model-configurations/{id}/headers b
listProviders GET /providers
discover_Models_ POST /model-discovery
list_Models_ GET /models
retrieval
indexWorkspace POST /workspaces/{uuid}/rag/index
indexRoot POST /workspaces/{uuid}/rag/roots/{root_index}/index
cancelIndexing POST /workspaces/{uuid}/rag/cancel
searchWorkspace POST /workspaces/{uuid}/rag/search ba
listIndexingFailures GET /workspaces/{uuid}/rag/failures?rootIndex
get_Retrieval_Status GET /workspaces/{uuid}/rag/status
tools
get_Tool_Catalog GET /tools/catalog
list_Tools_ GET /tool-registry
create_Tool_ POST /tool-registry bj
get_Tool_ GET /tool-registry/{uuid}
update_Tool_ PUT /tool-registry/{uuid} bj
delete_Tool_ DELETE /tool-registry/{uuid}
mcp
list_Mcp_Tools GET /workspaces/{uuid}/mcp-tools
test_Mcp_Server POST /tool-registry/{uuid}/test
search
searchMessages GET /search/messages?query&workspaceUuid&threadUuid&limit
searchMessagesByBody POST /search/messages b
turns
startThread_Turn_ POST /threads/{uuid}/turns bs
listThread_Turns_ GET /threads/{uuid}/turns?state&limit
startWorkspace_Turn_ POST /workspaces/{uuid}/turns bs
list_Turns_ GET /turns?state&threadUuid&limit
get_Turn_ GET /turns/{uuid}
cancel_Turn_ POST /turns/{uuid}/cancel
stream_Turn_Events GET /turns/{uuid}/events?after aE
listApprovals GET /approvals
decideApproval POST /approvals/{uuid} b
getUsage GET /usage?from&to&groupBy
realtime
streamEvents GET /stream aE
streamChanges GET /changes?after E
openEvents GET /events W
status
get_Status_ GET /status?findings
console
create_Console_Link POST /console/links`);

/** The fields that hold JSON in a string. */
export const JSON_FIELDS: readonly string[] = ["approvalConfig","authConfigJson","directories","ragConfig","skillsConfig","toolsConfig"];
