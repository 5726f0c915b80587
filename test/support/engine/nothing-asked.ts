/** Nothing is asked before any operation. */
export const NOTHING_ASKED = '{"create":false,"read":false,"update":false,"delete":false}';
